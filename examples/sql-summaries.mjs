// Chats in SQL: one row a message, and one row a chat that says what the session knows and which message its newest checkpoint
// covers. A request loads only the messages behind that one, however long the chat has become. Node 22 and newer have SQLite.

import { generateText, isStepCount } from 'ai';
import { createSession } from 'stepfold';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, chat TEXT NOT NULL, message TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS sessions (chat TEXT PRIMARY KEY, state TEXT NOT NULL, covered_through INTEGER NOT NULL DEFAULT 0);
`;

/** @param {{ db: import('node:sqlite').DatabaseSync, model: any, tools?: any, summarize: import('stepfold').Summarize, options?: import('stepfold').SessionOptions }} app */
export function createChats({ db, model, tools, summarize, options }) {
  db.exec(SCHEMA);
  const insert = db.prepare('INSERT INTO messages (chat, message) VALUES (?, ?)');
  const behind = db.prepare('SELECT id, message FROM messages WHERE chat = ? AND id > (SELECT coalesce(max(covered_through), 0) FROM sessions WHERE chat = ?) ORDER BY id');
  const append = (/** @type {string} */ chat, /** @type {readonly object[]} */ messages) => messages.map((message) => Number(insert.run(chat, JSON.stringify(message)).lastInsertRowid));

  /** The session's store. It writes only over what it has read, so two servers cannot lose each other's work. */
  const store = {
    get: (/** @type {string} */ chat) => db.prepare('SELECT state FROM sessions WHERE chat = ?').get(chat)?.state,
    set: (/** @type {string} */ chat, /** @type {string} */ state, /** @type {string | undefined} */ previous) =>
      previous === undefined
        ? db.prepare('INSERT OR IGNORE INTO sessions (chat, state) VALUES (?, ?)').run(chat, state).changes === 1
        : db.prepare('UPDATE sessions SET state = ? WHERE chat = ? AND state = ?').run(state, chat, previous).changes === 1,
  };

  /** Answers one message of the user. */
  return async function answer(/** @type {string} */ chat, /** @type {string} */ text) {
    append(chat, [{ role: 'user', content: text }]);
    const rows = behind.all(chat, chat);
    const messages = rows.map(({ message }) => JSON.parse(String(message)));
    let covered = 0;
    const session = createSession({
      ...options,
      id: chat,
      store,
      // Requests begin behind the newest checkpoint.
      resume: 'tail',
      summarize,
      // Counts the messages that this request folds, from the first one loaded.
      onEvent: (event) => {
        if (event.type === 'checkpoint') covered += event.messages;
      },
    });
    const result = await generateText({ model, tools, messages, stopWhen: isStepCount(50), prepareStep: session.prepareStep, onStepEnd: session.onStepEnd });
    // ai 7 tells the messages of all steps there; its `response` is the last step's.
    const added = append(chat, result.responseMessages);
    await session.dispose();
    const ids = [...rows.map(({ id }) => Number(id)), ...added];
    if (covered > 0) db.prepare('UPDATE sessions SET covered_through = ? WHERE chat = ?').run(ids[covered - 1], chat);
    return { text: result.text, sent: messages.length };
  };
}
