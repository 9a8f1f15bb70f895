// The rules of the Gemini API (`generateContent`), for `oracle.mjs`. Reads a request body, not model messages.
// Sources: ai.google.dev (function calling, thought signatures, code execution) and the error texts quoted in each rule.

export function checkGoogle({ contents }, history) {
  const found = [];
  const report = (rule, path, message) => found.push({ rule: `google/${rule}`, path, message });
  if (contents.length === 0) {
    report('contents-empty', 'contents', 'GenerateContentRequest.contents: contents is not specified');
    return found;
  }
  if (contents[0].role !== 'user') report('first-user', 'contents/0', 'Please ensure that the first content of a multiturn request has the role user.');
  if (contents.at(-1).role !== 'user') {
    report('last-user', `contents/${contents.length - 1}`, 'Please ensure that multiturn requests end with a user role.');
  }
  contents.forEach((content, index) => {
    checkParts(content.parts, `contents/${index}`, report);
    checkCalls(contents, index, report);
    checkServerTools(content.parts, `contents/${index}`, report);
  });
  if (history) checkSignatures(contents, history, report);
  return found;
}

const callsOf = (content) => (content?.parts ?? []).filter((part) => part.functionCall).map((part) => part.functionCall);
const responsesOf = (content) => (content?.parts ?? []).filter((part) => part.functionResponse).map((part) => part.functionResponse);

function checkParts(parts, path, report) {
  if (parts.length === 0) report('parts-empty', path, 'Unable to submit request because it must include at least one parts field.');
  parts.forEach((part, index) => {
    const { thoughtSignature, thought, ...data } = part;
    const isEmpty = Object.keys(data).length === 0 || (data.text === '' && thoughtSignature === undefined) || data.inlineData?.data === '';
    if (isEmpty) report('part-empty', `${path}/parts/${index}`, "contents.parts must have one initialized field: 'data'.");
  });
}

function checkCalls(contents, index, report) {
  const path = `contents/${index}`;
  const previous = contents[index - 1];
  const calls = callsOf(contents[index]);
  const responses = responsesOf(contents[index]);
  if (calls.length > 0) {
    if (previous?.role !== 'user') {
      report('call-place', path, 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.');
    }
    const answers = responsesOf(contents[index + 1]);
    const counts = `${calls.length} calls, ${answers.length} responses`;
    if (answers.length !== calls.length) {
      report(
        'response-count',
        path,
        'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
          `function call turn: ${counts}.`,
      );
    }
    const open = [...calls];
    for (const answer of answers) {
      const at = open.findIndex(({ id, name }) => (id !== undefined && answer.id !== undefined ? id === answer.id : name === answer.name));
      if (at === -1)
        report('response-unknown', `contents/${index + 1}`, `function response ${answer.name} answers no call of the turn before it`);
      else open.splice(at, 1);
    }
  }
  if (responses.length > 0 && callsOf(previous).length === 0) {
    report('response-place', path, 'Please ensure that function response turn comes immediately after a function call turn.');
  }
  if (responses.some(({ response }) => response?.content === undefined && response?.error === undefined)) {
    report('response-missing', path, 'function_response.response is required.');
  }
}

/** Tools of the server answer inside the model's own content: a program and its result, a server call and its response. */
function checkServerTools(parts, path, report) {
  let programs = 0;
  const open = new Set();
  for (const { executableCode, codeExecutionResult, toolCall, toolResponse } of parts) {
    if (executableCode) programs++;
    if (codeExecutionResult && programs-- <= 0) report('server-result-orphan', path, 'code_execution_result must follow an executable_code part');
    if (toolCall) open.add(toolCall.id);
    if (toolResponse && !open.delete(toolResponse.id))
      report('server-result-orphan', path, `tool_response ${toolResponse.id} has no tool_call`);
  }
  if (programs > 0 || open.size > 0) report('server-tool-unanswered', path, 'a server tool call must be followed by its result');
}

/** Gemini 3 checks that a call comes back with the signature it was made with; the SDK hides a lost one behind a sentinel. */
function checkSignatures(contents, history, report) {
  const signatures = new Map();
  for (const { role, content } of history) {
    for (const part of role === 'assistant' && typeof content !== 'string' ? content : []) {
      const signature = part.providerOptions?.google?.thoughtSignature;
      if (part.type === 'tool-call' && signature !== undefined) signatures.set(part.toolCallId, signature);
    }
  }
  contents.forEach(({ parts }, index) => {
    parts.forEach(({ functionCall, thoughtSignature }, j) => {
      const expected = functionCall && signatures.get(functionCall.id);
      if (expected !== undefined && thoughtSignature !== expected) {
        report('signature-changed', `contents/${index}/parts/${j}`, `Function call ${functionCall.name} has lost its thought_signature.`);
      }
    });
  });
}
