// Who is asking. Stands in place of an app's own sign-in: a browser is a user, known by a cookie that `proxy.ts` sets.

import { cookies } from 'next/headers';

export const USER_COOKIE = 'user';

export async function currentUser(): Promise<string> {
  const user = (await cookies()).get(USER_COOKIE)?.value;
  if (user === undefined) throw new Error(`the cookie "${USER_COOKIE}" is missing`);
  return user;
}
