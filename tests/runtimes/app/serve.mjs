// A server for Node, Bun and Deno, each with its own kind of server: `serve.mjs <variant>` prints its port and answers every GET.

const { handle } = await import(`./handlers/${process.argv[2]}.mjs`);
const listening = (port) => console.log(`listening on ${port}`);

if ('Bun' in globalThis) {
  listening(globalThis.Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle }).port);
} else if ('Deno' in globalThis) {
  globalThis.Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => listening(port) }, handle);
} else {
  const { createServer } = await import('node:http');
  const server = createServer(async (request, reply) => {
    const response = await handle(new Request(`http://localhost${request.url}`));
    reply.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const piece of response.body) reply.write(piece);
    reply.end();
  });
  server.listen(0, '127.0.0.1', () => listening(server.address().port));
}
