// One message of the chat: texts, calls, questions about a tool, and dividers where older messages were folded.

import { CheckpointDivider } from '../../../components/checkpoint-divider';
import type { ChatMessage } from '../../../lib/chat';

/** `onAnswer` is told what the user says to a tool that waits for approval. */
export function MessageView({ message, onAnswer }: { message: ChatMessage; onAnswer: (approval: string, approved: boolean) => void }) {
  return (
    <article className={message.role}>
      {message.parts.map((part, index) => {
        if (part.type === 'text') return <p key={index}>{part.text}</p>;
        if (part.type === 'data-stepfold-checkpoint') return <CheckpointDivider key={index} checkpoint={part.data} />;
        if (part.type === 'tool-readReport') return <code key={index}>report {part.input?.number}</code>;
        if (part.type !== 'tool-restartPump') return null;
        if (part.state !== 'approval-requested') return <code key={index}>restart pump {part.input?.pump}</code>;
        const { id } = part.approval;
        return (
          <fieldset key={index}>
            <legend>Restart pump {part.input.pump}?</legend>
            <button type="button" onClick={() => onAnswer(id, true)}>
              Approve
            </button>{' '}
            <button type="button" className="quiet" onClick={() => onAnswer(id, false)}>
              Deny
            </button>
          </fieldset>
        );
      })}
    </article>
  );
}
