// Every visit begins a chat of its own.

import { redirect } from 'next/navigation';

export const dynamic = 'force-dynamic';

export default function Page() {
  redirect(`/chat/${crypto.randomUUID()}`);
}
