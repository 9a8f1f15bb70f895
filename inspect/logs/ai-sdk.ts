// Messages of the AI SDK: model messages are taken as they are, UI messages are taken apart into steps as the SDK does it. Does not
// import the SDK: whoever looks at a log need not have it.

import type { ModelMessage } from 'ai';
import type { AnyRecord, LogReader } from '../log.js';
import { Skipped, isRecord, listOf, recordOf, sizeOf, textOf, titleOf } from '../log.js';
import { Messages, outputOf } from '../messages.js';

/** What stands beside the messages. */
export interface Given {
  readonly id: string | undefined;
  readonly kind: string | undefined;
  readonly modelId: string | undefined;
  readonly system: string;
}

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

const isUi = (value: AnyRecord): boolean => Array.isArray(value['parts']) && value['parts'].every((part) => isRecord(part) && 'type' in part);

/** Whether a value is a message of the SDK. */
export const isAiSdk = (value: AnyRecord): boolean => ROLES.has(textOf(value['role'])) && (typeof value['content'] === 'string' || Array.isArray(value['content']) || isUi(value));

export function aiSdkReader({ id, kind, modelId, system }: Given = { id: undefined, kind: undefined, modelId: undefined, system: '' }): LogReader {
  const taken: AnyRecord[] = [];
  const skipped = new Skipped();
  let size = 0;
  return {
    take(value) {
      if (!isAiSdk(value)) return false;
      taken.push(value);
      size += sizeOf(isUi(value) ? value['parts'] : value['content']);
      return true;
    },
    size: () => size,
    finish() {
      const given = { id, kind, modelId };
      if (!taken.some(isUi)) {
        const messages = taken as unknown as ModelMessage[];
        return { ...given, title: titleOf(messages), format: 'AI SDK, model messages', system, messages, firstPrompt: undefined, notes: [] };
      }
      const messages = new Messages();
      messages.instruct(system);
      for (const value of taken) {
        const { role, content } = value;
        if (isUi(value)) takeUi(messages, value, skipped);
        // As ai 4 stored them.
        else if (typeof content === 'string') takeUi(messages, { role, parts: [{ type: 'text', text: content }] }, skipped);
        else skipped.add('model message among UI messages');
      }
      return { ...messages.finish(skipped), ...given, format: 'AI SDK, UI messages', notes: skipped.notes };
    },
  };
}

function takeUi(messages: Messages, { role, parts }: AnyRecord, skipped: Skipped): void {
  messages.close();
  const of = listOf(parts).filter(isRecord);
  if (role !== 'assistant') return messages.say(role === 'system' ? 'system' : 'user', of.flatMap((part) => modelParts(part, skipped)));
  for (const part of of) {
    const type = textOf(part['type']);
    if (type === 'step-start') messages.close();
    else if (type === 'steering-message') messages.say('user', listOf(part['parts']).filter(isRecord).flatMap((each) => modelParts(each, skipped)));
    else if (type === 'dynamic-tool' || type.startsWith('tool-')) takeTool(messages, part, type === 'dynamic-tool' ? textOf(part['toolName']) : type.slice('tool-'.length), skipped);
    else for (const each of modelParts(part, skipped)) messages.reply(each);
  }
}

/** A part of a UI message as one of a model message. */
function modelParts(part: AnyRecord, skipped: Skipped): AnyRecord[] {
  const { type, text, url, mediaType, filename, kind } = part;
  const options = optionsOf(part['providerMetadata']);
  switch (type) {
    case 'text':
    case 'reasoning':
      return [{ type, text: textOf(text), ...options }];
    case 'file':
      return [{ type, data: textOf(url), mediaType: textOf(mediaType), ...(typeof filename === 'string' ? { filename } : {}), ...options }];
    case 'reasoning-file':
      return [{ type, data: textOf(url), mediaType: textOf(mediaType), ...options }];
    case 'custom':
      return [{ type, kind, ...options }];
    default:
      // The app's own parts and sources are not for the model.
      if (!/^(?:data|source)-/.test(textOf(type))) skipped.add(`part \`${textOf(type)}\``);
      return [];
  }
}

const optionsOf = (metadata: unknown): AnyRecord => (isRecord(metadata) ? { providerOptions: metadata } : {});

/** Results of one step stand together: no new message begins before `step-start`. */
function takeTool(messages: Messages, part: AnyRecord, toolName: string, skipped: Skipped): void {
  const { toolCallId: id, input, rawInput, providerExecuted, callProviderMetadata, resultProviderMetadata, state } = part;
  const isOfProvider = providerExecuted === true;
  const output = outputOfTool(part, isOfProvider);
  const approval = isRecord(part['approval']) ? part['approval'] : undefined;
  if (output === undefined && state !== 'approval-responded') return skipped.add('call that was not finished, which the SDK does not send');
  messages.call({ id, name: toolName, input: input ?? rawInput, more: { ...(isOfProvider ? { providerExecuted } : {}), ...optionsOf(callProviderMetadata ?? (state === 'output-error' ? resultProviderMetadata : undefined)) } });
  if (approval !== undefined) messages.reply({ type: 'tool-approval-request', approvalId: approval['id'], toolCallId: id });
  const resultOptions = optionsOf(isOfProvider ? (resultProviderMetadata ?? callProviderMetadata) : callProviderMetadata);
  if (isOfProvider && output !== undefined) messages.reply({ type: 'tool-result', toolCallId: id, toolName, output, ...resultOptions });
  messages.answerWith(id, (call) => [
    ...(typeof approval?.['approved'] === 'boolean' ? [{ type: 'tool-approval-response', approvalId: approval['id'], approved: approval['approved'], ...(typeof approval['reason'] === 'string' ? { reason: approval['reason'] } : {}) }] : []),
    ...(isOfProvider || output === undefined ? [] : [{ type: 'tool-result', ...call, output, ...resultOptions }]),
  ]);
}

/** What a tool returned as the model sees it; undefined where nothing did, or not all of it. */
function outputOfTool({ state, output, errorText, preliminary, approval }: AnyRecord, isOfProvider: boolean): AnyRecord | undefined {
  const { approved, reason } = recordOf(approval);
  switch (state) {
    case 'output-available':
      return preliminary === true ? undefined : outputOf(output);
    case 'output-error':
      return isOfProvider ? { type: 'error-json', value: errorText ?? null } : outputOf(textOf(errorText), true);
    case 'output-denied':
      return outputOf(textOf(reason) || 'Tool call execution denied.', true);
    case 'approval-responded':
      return approved === false ? { type: 'execution-denied', reason } : undefined;
    default:
      return undefined;
  }
}
