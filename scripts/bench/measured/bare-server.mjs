// The least that a server on node:http can do of an update: it parses the body, and sends the bytes that it was given.
//   node scripts/bench/measured/bare-server.mjs BODY
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';

const bytes = Buffer.from(process.argv[2]);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, headers);
    response.end(bytes);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
