// Sessions of OpenCode: what `opencode export` writes, and messages of its storage with their parts beside them.

import type { AnyRecord, FirstPrompt, LogReader } from '../log.js';
import { Messages, Skipped, isRecord, listOf, numberOf, outputOf, placeOf, recordOf, textOf } from '../log.js';

/** Whether a value is a message of such a session: its own fields in `info`, and its parts. */
export const isOpencode = (value: AnyRecord): boolean => isRecord(value['info']) && Array.isArray(value['parts']) && typeof value['info']['role'] === 'string';

export function opencodeReader(title = ''): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  let modelId: string | undefined;
  let first: FirstPrompt | undefined;
  return {
    take(value) {
      if (!isOpencode(value)) return false;
      const info = recordOf(value['info']);
      const parts = listOf(value['parts']).filter(isRecord);
      if (info['role'] === 'user') {
        messages.say('user', parts.filter(({ type, ignored }) => type === 'text' && ignored !== true).map(({ text }) => textOf(text)).join('\n'));
        return true;
      }
      modelId = textOf(info['modelID']) || textOf(recordOf(info['model'])['modelID']) || modelId;
      messages.close();
      for (const part of parts) takePart(messages, part, skipped);
      const { input, cache } = recordOf(info['tokens']);
      const tokens = numberOf(input) + numberOf(recordOf(cache)['read']) + numberOf(recordOf(cache)['write']);
      if (first === undefined && tokens > 0) first = { messageIndex: messages.length - 1, tokens };
      return true;
    },
    size: () => messages.size,
    finish() {
      const list = messages.finish();
      const firstPrompt = first === undefined ? undefined : { ...first, messageIndex: placeOf(list, first.messageIndex) };
      return { title: title === '' ? messages.title : title, format: 'OpenCode', modelId, messages: list, firstPrompt, notes: skipped.notes };
    },
  };
}

function takePart(messages: Messages, part: AnyRecord, skipped: Skipped): void {
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      if (textOf(part['text']) !== '') messages.reply({ type: part['type'], text: textOf(part['text']) });
      break;
    case 'tool': {
      const state = recordOf(part['state']);
      messages.call(textOf(part['callID']), textOf(part['tool']), state['input']);
      if (state['status'] === 'error') messages.result(textOf(part['callID']), outputOf(textOf(state['error']), true));
      else if (typeof state['output'] === 'string') messages.result(textOf(part['callID']), outputOf(state['output']));
      break;
    }
    case 'step-start':
      messages.close();
      break;
    case 'compaction':
      skipped.add('compaction of OpenCode, whose messages are played in full');
      break;
    default:
  }
}
