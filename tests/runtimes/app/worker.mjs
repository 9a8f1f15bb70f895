// The Cloudflare worker: the agent, and a provider as a real worker would have it. `VARIANT` is replaced by hosts/workers.mjs.
// `/compile` tells whether this platform lets a program compile WebAssembly.

import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import { handle } from './handlers/VARIANT.mjs';

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/compile') return compile();
    if (env.OPENAI_API_KEY === undefined) return handle(request);
    const openai = createOpenAI({ apiKey: env.OPENAI_API_KEY });
    const { text } = await generateText({ model: openai('gpt-5-mini'), prompt: 'Say hello.' });
    return new Response(text);
  },
};

function compile() {
  try {
    new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    return new Response('compiled');
  } catch (error) {
    return new Response(error instanceof Error ? error.message : String(error));
  }
}
