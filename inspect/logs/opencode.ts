// Sessions of OpenCode: what `opencode export` writes, and messages of its storage with their parts beside them.

import type { AnyRecord, LogReader } from '../log.js';
import { Skipped, isRecord, listOf, numberOf, recordOf, textOf } from '../log.js';
import { Messages, outputOf, textParts } from '../messages.js';

/** Whether a value is a message of such a session: its own fields in `info`, and its parts. */
export const isOpencode = (value: AnyRecord): boolean => isRecord(value['info']) && Array.isArray(value['parts']) && typeof value['info']['role'] === 'string';

export function opencodeReader(given = ''): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  let id: string | undefined;
  let modelId: string | undefined;
  return {
    take(value) {
      if (!isOpencode(value)) return false;
      const info = recordOf(value['info']);
      const parts = listOf(value['parts']).filter(isRecord);
      id ??= textOf(info['sessionID']) || undefined;
      if (info['role'] === 'user') {
        messages.say('user', textParts(parts.filter(({ type, ignored }) => type === 'text' && ignored !== true).map(({ text }) => textOf(text)).join('\n')));
        return true;
      }
      modelId = textOf(info['modelID']) || textOf(recordOf(info['model'])['modelID']) || modelId;
      messages.close();
      for (const part of parts) takePart(messages, part, skipped);
      const { input, cache } = recordOf(info['tokens']);
      messages.prompted(numberOf(input) + numberOf(recordOf(cache)['read']) + numberOf(recordOf(cache)['write']));
      return true;
    },
    size: () => messages.size,
    finish() {
      const { title, ...conversation } = messages.finish(skipped);
      return { ...conversation, id, kind: 'coding', title: given === '' ? title : given, format: 'OpenCode', modelId, notes: skipped.notes };
    },
  };
}

function takePart(messages: Messages, part: AnyRecord, skipped: Skipped): void {
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      for (const { text } of textParts(part['text'])) messages.reply({ type: part['type'], text });
      break;
    case 'tool': {
      const state = recordOf(part['state']);
      messages.call({ id: part['callID'], name: part['tool'], input: state['input'] });
      if (state['status'] === 'error') messages.answer(part['callID'], outputOf(textOf(state['error']), true));
      else if (typeof state['output'] === 'string') messages.answer(part['callID'], outputOf(state['output']));
      break;
    }
    case 'step-start':
      messages.close();
      break;
    case 'compaction':
      skipped.add('compaction of OpenCode, whose messages are there in full');
      break;
    default:
  }
}
