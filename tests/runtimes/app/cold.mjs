// Measures a cold start inside a fresh process: from importing the handler to the end of its first step. `cold.mjs <file>`.
// Prints milliseconds, and the process's memory after it.

const start = performance.now();
const { handle } = await import(process.argv[2]);
await (await handle(new Request('http://localhost/?run=first'))).text();
console.log(JSON.stringify({ milliseconds: performance.now() - start, bytes: process.memoryUsage().rss }));
