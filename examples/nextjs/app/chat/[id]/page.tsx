// A chat as the database has it: messages, and what was told of its context. Others' chats do not exist.

import { notFound } from 'next/navigation';
import { loadEvents, loadMessages, mayOpen } from '../../../lib/database';
import { currentUser } from '../../../lib/user';
import { Chat } from './chat';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!mayOpen(id, await currentUser())) notFound();
  return <Chat key={id} id={id} stored={loadMessages(id)} past={loadEvents(id)} />;
}
