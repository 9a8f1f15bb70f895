// Logs of Copilot CLI (`events.jsonl`): one event a line, with its fields in `data`. Newer ones do not keep what tools returned.

import type { AnyRecord, LogReader } from '../log.js';
import { Messages, Skipped, isRecord, listOf, outputOf, parsedInput, recordOf, textOf } from '../log.js';

/** Whether a value is a line of such a log. */
export const isCopilotCli = (value: AnyRecord): boolean => isRecord(value['data']) && /^(?:session|user|assistant|tool|system|subagent|hook|abort|skill)\b/.test(textOf(value['type'])) && !('sessionId' in value);

export function copilotCliReader(): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  const called = new Set<string>();
  let modelId: string | undefined;
  const call = (id: string, name: unknown, input: unknown): void => {
    if (called.has(id)) return;
    called.add(id);
    messages.call(id, textOf(name), parsedInput(input));
  };
  return {
    take(value) {
      if (!isCopilotCli(value)) return false;
      const data = recordOf(value['data']);
      const id = textOf(data['toolCallId']);
      switch (value['type']) {
        case 'session.start':
          modelId = textOf(data['selectedModel']) || modelId;
          break;
        case 'session.model_change':
          modelId = textOf(data['newModel']) || modelId;
          break;
        case 'user.message':
          messages.say('user', textOf(data['transformedContent']) || textOf(data['content']));
          break;
        case 'assistant.message':
          modelId ??= textOf(data['model']) || undefined;
          if (textOf(data['reasoningText']) !== '') messages.reply({ type: 'reasoning', text: textOf(data['reasoningText']) });
          if (textOf(data['content']) !== '') messages.reply({ type: 'text', text: textOf(data['content']) });
          for (const asked of listOf(data['toolRequests']).map(recordOf)) call(textOf(asked['toolCallId']), asked['name'], asked['arguments']);
          break;
        case 'tool.execution_start':
          call(id, data['toolName'], data['arguments']);
          break;
        case 'tool.execution_complete': {
          const content = recordOf(data['result'])['content'];
          if (typeof content !== 'string' && data['success'] === true) skipped.add('result that the log does not keep: the session was larger than is shown');
          messages.result(id, outputOf(textOf(content) || textOf(recordOf(data['error'])['message']), data['success'] === false));
          break;
        }
        case 'session.truncation':
        case 'session.compaction_complete':
          skipped.add('compaction of Copilot, whose messages are played in full');
          break;
        default:
      }
      return true;
    },
    size: () => messages.size,
    finish: () => ({ title: messages.title, format: 'Copilot CLI', modelId, messages: messages.finish(), firstPrompt: undefined, notes: skipped.notes }),
  };
}
