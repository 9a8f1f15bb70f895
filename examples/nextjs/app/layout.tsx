// The frame of the page.

import type { ReactNode } from 'react';
import './globals.css';

export const metadata = { title: 'stepfold in Next.js', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
