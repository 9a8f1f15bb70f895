// The chat, and beside it what happens to the context.

'use client';

import { useChat } from '@ai-sdk/react';
import { useState } from 'react';
import type { ChatMessage } from '../lib/chat';
import { emptyView, follow } from '../lib/context';
import { ContextPanel } from './context-panel';

export default function Page() {
  const [view, setView] = useState(emptyView);
  const [input, setInput] = useState('Read all reports and list the incidents.');
  const { messages, sendMessage, status, stop, error } = useChat<ChatMessage>({
    onData: (part) => {
      if (part.type === 'data-stepfold') setView((before) => follow(before, part.data));
    },
  });
  const isBusy = status === 'submitted' || status === 'streaming';

  return (
    <main>
      <section className="chat">
        <div className="scroll">
          <div className="messages">
            {messages.map((message) => (
              <article key={message.id} className={message.role}>
                {message.parts.map((part, index) => {
                  if (part.type === 'text') return <p key={index}>{part.text}</p>;
                  if (part.type === 'tool-readReport') return <code key={index}>report {part.input?.number}</code>;
                  return null;
                })}
              </article>
            ))}
            {error !== undefined && <p role="alert">{error.message}</p>}
          </div>
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isBusy || input.trim() === '') return;
            void sendMessage({ text: input });
            setInput('');
          }}
        >
          <input value={input} onChange={(event) => setInput(event.target.value)} placeholder="Ask about the station" aria-label="Message" />
          {isBusy ? (
            <button type="button" onClick={() => void stop()}>
              Stop
            </button>
          ) : (
            <button type="submit">Send</button>
          )}
        </form>
      </section>
      <ContextPanel view={view} />
    </main>
  );
}
