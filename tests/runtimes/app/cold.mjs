// Measures a cold start inside a fresh process: from importing the handler to the end of its first step. `cold.mjs <file>`.
// Prints milliseconds on a processor, which are the same however busy the machine is, and the process's memory after it.

const before = process.cpuUsage();
const { handle } = await import(process.argv[2]);
await (await handle(new Request('http://localhost/?run=first'))).text();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ milliseconds: (user + system) / 1_000, bytes: process.memoryUsage().rss }));
