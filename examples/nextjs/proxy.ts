// Gives every browser an id, so that chats have owners. An app with a sign-in has no such file.

import { NextResponse } from 'next/server';
import type { NextRequest } from 'next/server';
import { USER_COOKIE } from './lib/user';

export function proxy(request: NextRequest): NextResponse {
  if (request.cookies.has(USER_COOKIE)) return NextResponse.next();
  const user = crypto.randomUUID();
  // For this request, too.
  request.cookies.set(USER_COOKIE, user);
  const response = NextResponse.next({ request: { headers: new Headers(request.headers) } });
  response.cookies.set(USER_COOKIE, user, { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 31_536_000 });
  return response;
}

export const config = { matcher: ['/', '/chat/:path*', '/api/:path*'] };
