// What the file store uses of Node. The rest of `js` must not know Node's types, so they are declared here as far as they are needed.

declare module 'node:crypto' {
  export function createHash(algorithm: 'sha256'): { update(text: string): { digest(encoding: 'hex'): string } };
  export function randomUUID(): string;
}

declare module 'node:fs/promises' {
  interface FileHandle {
    writeFile(text: string): Promise<void>;
    sync(): Promise<void>;
    close(): Promise<void>;
  }
  export function link(existing: string, path: string): Promise<void>;
  export function mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
  export function open(path: string, flags: 'wx', mode: number): Promise<FileHandle>;
  export function readFile(path: string, encoding: 'utf8'): Promise<string>;
  export function readdir(path: string): Promise<string[]>;
  export function rm(path: string, options: { force: true }): Promise<void>;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
  export function resolve(path: string): string;
}
