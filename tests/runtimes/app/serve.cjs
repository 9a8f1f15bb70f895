// The server for Node in CommonJS: `require('stepfold')` and `require` of everything else. `serve.cjs <variant>`.

const { createServer } = require('node:http');
const { handle } = require(`./handlers/${process.argv[2]}.cjs`);

const server = createServer(async (request, reply) => {
  const response = await handle(new Request(`http://localhost${request.url}`));
  reply.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const piece of response.body) reply.write(piece);
  reply.end();
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
