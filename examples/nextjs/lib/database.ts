// Chats in SQLite: who owns them, their messages, their sessions, and what was told of their context. Any SQL database will do the same.

import { DatabaseSync } from 'node:sqlite';
import type { SessionStore, StepfoldEvent } from 'stepfold';
import type { ChatMessage } from './chat';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS chats (id TEXT PRIMARY KEY, owner TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS messages (position INTEGER PRIMARY KEY, chat TEXT NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL, UNIQUE (chat, id));
  CREATE TABLE IF NOT EXISTS sessions (chat TEXT PRIMARY KEY, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, chat TEXT NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL);
`;

const shared = globalThis as { database?: DatabaseSync };

/** Opened at the first request, not by the build; one for all modules of the server. */
function database(): DatabaseSync {
  if (shared.database === undefined) {
    shared.database = new DatabaseSync(process.env.DATABASE ?? 'chats.db');
    shared.database.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; ${SCHEMA}`);
  }
  return shared.database;
}

/** Whether this user may read and continue the chat. A chat that nobody owns becomes theirs with `claim`. */
export function mayOpen(chat: string, user: string, { claim = false } = {}): boolean {
  if (claim) database().prepare('INSERT OR IGNORE INTO chats (id, owner) VALUES (?, ?)').run(chat, user);
  const row = database().prepare('SELECT owner FROM chats WHERE id = ?').get(chat);
  return row === undefined || row.owner === user;
}

export function loadMessages(chat: string): ChatMessage[] {
  return database().prepare('SELECT message FROM messages WHERE chat = ? ORDER BY position').all(chat).map(({ message }) => JSON.parse(String(message)) as ChatMessage);
}

/** Adds a message, or takes the place of the one with its id. */
export function saveMessage(chat: string, message: ChatMessage): void {
  database()
    .prepare('INSERT INTO messages (chat, id, message) VALUES (?, ?, ?) ON CONFLICT (chat, id) DO UPDATE SET message = excluded.message')
    .run(chat, message.id, JSON.stringify(message));
}

/** Where sessions are kept. It writes only over what was read, so that two servers cannot lose each other's work. */
export const sessions: SessionStore = {
  get: (chat) => database().prepare('SELECT state FROM sessions WHERE chat = ?').get(chat)?.state as string | undefined,
  set: (chat, state, previous) =>
    previous === undefined
      ? database().prepare('INSERT OR IGNORE INTO sessions (chat, state) VALUES (?, ?)').run(chat, state).changes === 1
      : database().prepare('UPDATE sessions SET state = ? WHERE chat = ? AND state = ?').run(state, chat, previous).changes === 1,
};

const EDITS = ['capped', 'cleared', 'checkpoint', 'squeezed'];

/** Keeps what a page shows after a reload: every edit, and the newest measurement. */
export function keepEvent(chat: string, event: StepfoldEvent): void {
  if (event.type === 'measured') database().prepare("DELETE FROM events WHERE chat = ? AND type = 'measured'").run(chat);
  else if (!EDITS.includes(event.type)) return;
  database().prepare('INSERT INTO events (chat, type, event) VALUES (?, ?, ?)').run(chat, event.type, JSON.stringify(event));
}

/** What was told of the chat's context, oldest first. */
export function loadEvents(chat: string): StepfoldEvent[] {
  return database().prepare('SELECT event FROM events WHERE chat = ? ORDER BY position').all(chat).map(({ event }) => JSON.parse(String(event)) as StepfoldEvent);
}
