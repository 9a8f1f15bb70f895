// Messages of the AI SDK: model messages are played as they are, UI messages are taken apart into steps as the SDK would.

import type { ModelMessage } from 'ai';
import type { AnyRecord, LogReader } from '../log.js';
import { Messages, Skipped, isRecord, listOf, outputOf, sizeOf, textOf } from '../log.js';

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

const isUi = (value: AnyRecord): boolean => Array.isArray(value['parts']) && value['parts'].every((part) => isRecord(part) && 'type' in part);

/** Whether a value is a message of the SDK. */
export const isAiSdk = (value: AnyRecord): boolean => ROLES.has(textOf(value['role'])) && (typeof value['content'] === 'string' || Array.isArray(value['content']) || isUi(value));

export function aiSdkReader(modelId?: string): LogReader {
  const ui = new Messages();
  const model: ModelMessage[] = [];
  let modelSize = 0;
  const skipped = new Skipped();
  return {
    take(value) {
      if (!isAiSdk(value)) return false;
      if (isUi(value)) takeUi(ui, value, skipped);
      else {
        model.push(value as unknown as ModelMessage);
        modelSize += sizeOf(value['content']);
      }
      return true;
    },
    size: () => ui.size + modelSize,
    finish() {
      const messages = model.length > 0 ? model : ui.finish();
      if (model.length > 0 && ui.length > 0) skipped.add('UI message among model messages', ui.length);
      const named = new Messages();
      const first = model.find(({ role }) => role === 'user');
      if (first !== undefined) named.say('user', first.content as string | readonly AnyRecord[]);
      return { title: model.length > 0 ? named.title : ui.title, format: `AI SDK, ${model.length > 0 ? 'model' : 'UI'} messages`, modelId, messages, firstPrompt: undefined, notes: skipped.notes };
    },
  };
}

function takeUi(messages: Messages, { role, parts }: AnyRecord, skipped: Skipped): void {
  const said: AnyRecord[] = [];
  messages.close();
  for (const part of listOf(parts).filter(isRecord)) {
    const type = textOf(part['type']);
    if (type === 'step-start') messages.close();
    else if (role !== 'assistant') {
      if (type === 'text') said.push({ type, text: textOf(part['text']) });
      else if (type === 'file') said.push({ type, data: textOf(part['url']), mediaType: textOf(part['mediaType']) });
    } else if (type === 'text' || type === 'reasoning') messages.reply({ type, text: textOf(part['text']) });
    else if (type === 'dynamic-tool' || type.startsWith('tool-')) takeTool(messages, part, type === 'dynamic-tool' ? textOf(part['toolName']) : type.slice('tool-'.length));
    else if (!type.startsWith('data-') && !type.startsWith('source-')) skipped.add(`part \`${type}\``);
  }
  if (said.length > 0) messages.say(role === 'system' ? 'system' : 'user', said);
}

function takeTool(messages: Messages, part: AnyRecord, toolName: string): void {
  const id = textOf(part['toolCallId']);
  messages.call(id, toolName, part['input']);
  // Results of one step stand together: no new message begins before `step-start`.
  if (part['state'] === 'output-available') messages.answer(id, outputOf(part['output']));
  else if (part['state'] === 'output-error') messages.answer(id, outputOf(textOf(part['errorText']), true));
}
