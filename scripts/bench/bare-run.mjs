import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [url, file] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8'));
const pool = new Pool(url, { connections: 16, pipelining: 1 });
const sent = [];

async function send({ method, path, headers, body, after }) {
  await Promise.all(after.map((index) => sent[index].promise));
  const response = await pool.request({ method, path, headers, body: body ?? null });
  await response.body.text();
}

for (const index of requests.keys()) {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  sent[index] = { promise, resolve };
}
await Promise.all(requests.map((request, index) => send(request).then(sent[index].resolve)));
await pool.close();
