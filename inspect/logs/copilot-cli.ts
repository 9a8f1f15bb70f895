// Logs of Copilot CLI (`events.jsonl`): one event a line, with its fields in `data`. Newer ones do not keep what tools returned.

import type { AnyRecord, LogReader } from '../log.js';
import { Skipped, isRecord, listOf, recordOf, textOf } from '../log.js';
import { Messages, outputOf, parsedInput, textParts } from '../messages.js';

/** Whether a value is a line of such a log. */
export const isCopilotCli = (value: AnyRecord): boolean => isRecord(value['data']) && /^(?:session|user|assistant|tool|system|subagent|hook|abort|skill)\b/.test(textOf(value['type'])) && !('sessionId' in value);

export function copilotCliReader(): LogReader {
  const messages = new Messages();
  const skipped = new Skipped();
  const instructions = new Set<unknown>();
  let id: string | undefined;
  let modelId: string | undefined;
  let replyId = '';
  const call = (callId: unknown, name: unknown, input: unknown): void => {
    // Logged when the model requests it, and when it begins.
    if (!messages.hasCall(callId)) messages.call({ id: callId, name, input: parsedInput(input) }, replyId);
  };
  return {
    take(value) {
      if (!isCopilotCli(value)) return false;
      const data = recordOf(value['data']);
      switch (value['type']) {
        case 'session.start':
          id ??= textOf(data['sessionId']) || undefined;
          modelId = textOf(data['selectedModel']) || modelId;
          break;
        case 'session.model_change':
          modelId = textOf(data['newModel']) || modelId;
          break;
        case 'system.message':
          // Repeated with each request.
          if (!instructions.has(data['content'])) messages.say('system', textParts(data['content']));
          instructions.add(data['content']);
          break;
        case 'user.message':
          replyId = '';
          messages.say('user', textParts(textOf(data['transformedContent']) || textOf(data['content'])));
          break;
        case 'assistant.message':
          modelId ??= textOf(data['model']) || undefined;
          replyId = textOf(data['messageId']);
          for (const { text } of textParts(data['reasoningText'])) messages.reply({ type: 'reasoning', text }, replyId);
          for (const part of textParts(data['content'])) messages.reply(part, replyId);
          for (const { toolCallId, name, arguments: input } of listOf(data['toolRequests']).map(recordOf)) call(toolCallId, name, input);
          break;
        case 'tool.execution_start':
          call(data['toolCallId'], data['toolName'], data['arguments']);
          break;
        case 'tool.execution_complete': {
          const content = recordOf(data['result'])['content'];
          if (typeof content !== 'string' && data['success'] === true) skipped.add('result that the log does not keep: the session was larger than is shown');
          messages.result(data['toolCallId'], outputOf(textOf(content) || textOf(recordOf(data['error'])['message']), data['success'] === false));
          break;
        }
        case 'session.truncation':
        case 'session.compaction_complete':
          skipped.add('compaction of Copilot, whose messages are there in full');
          break;
        default:
      }
      return true;
    },
    size: () => messages.size,
    finish: () => ({ ...messages.finish(skipped), id, kind: 'coding', format: 'Copilot CLI', modelId, notes: skipped.notes }),
  };
}
