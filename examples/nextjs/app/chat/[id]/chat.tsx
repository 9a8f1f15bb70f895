// The chat, and beside it what happens to its context.

'use client';

import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { useState } from 'react';
import { useContextEvents, useContextWindow } from 'stepfold/react';
import type { StepfoldData } from 'stepfold/react';
import { ContextHistory } from '../../../components/context-history';
import { ContextMeter } from '../../../components/context-meter';
import { requestOf } from '../../../lib/chat';
import type { ChatMessage } from '../../../lib/chat';
import { MessageView } from './message-view';

/** The server has the messages: a page sends what is new. */
const transport = new DefaultChatTransport<ChatMessage>({ prepareSendMessagesRequest: ({ id, messages }) => ({ body: requestOf(id, messages) }) });

export function Chat({ id, stored, past }: { id: string; stored: ChatMessage[]; past: StepfoldData[] }) {
  const [input, setInput] = useState(stored.length === 0 ? 'Read all reports and list the incidents.' : '');
  const [notice, setNotice] = useState('');
  const events = useContextEvents({ id, past });
  const chat = useChat<ChatMessage>({
    id,
    messages: stored,
    transport,
    // After the user has answered every question about a tool, the run goes on by itself.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onData: (part) => {
      events.onData(part);
      if (part.type === 'data-stepfold' && part.data.type === 'fallback') setNotice(part.data.label ?? '');
    },
  });
  const context = useContextWindow(chat, events);
  const { messages, sendMessage, status, stop, error, addToolApprovalResponse } = chat;
  const isBusy = status === 'submitted' || status === 'streaming';

  return (
    <main>
      <section className="chat">
        <div className="scroll">
          <div className="messages">
            {messages.map((message) => (
              <MessageView key={message.id} message={message} onAnswer={(approval, approved) => void addToolApprovalResponse({ id: approval, approved })} />
            ))}
            {context.running !== undefined && <p role="status">{context.running.label}</p>}
            {context.isOverBudget && <p role="status">The conversation is too long for this model.</p>}
            {notice !== '' && <p role="status">{notice}</p>}
            {error !== undefined && <p role="alert">{error.message}</p>}
          </div>
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isBusy || input.trim() === '') return;
            setNotice('');
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
      <aside>
        <ContextMeter context={context} />
        <ContextHistory context={context} />
        {/* Not a link of Next.js, which would fetch the next chat ahead of time. */}
        <a href="/">New chat</a>
      </aside>
    </main>
  );
}
