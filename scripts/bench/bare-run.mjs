// The bare script that a run is compared with: sends recorded requests, each after those that had ended when the suite sent it,
// reads the responses, and prints how many of them Prism complains about, if it stands in between. With --decodable, it leaves
// out paths that cannot be decoded, which end Prism.
//   node scripts/bench/bare-run.mjs URL FILE [--decodable]
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [url, file, option] = process.argv.slice(2);
const pool = new Pool(url, { connections: 16, pipelining: 1 });
const ended = [];
let complaints = 0;

function isDecodable(path) {
  try {
    return decodeURI(path) !== undefined;
  } catch {
    return false;
  }
}

async function send({ method, path, headers, body, after }) {
  await Promise.all(after.map((index) => ended[index]));
  if (option === '--decodable' && !isDecodable(path)) return;
  const response = await pool.request({ method, path, headers, body: body ?? null });
  await response.body.text();
  const violations = JSON.parse(response.headers['sl-violations'] ?? '[]');
  if (violations.some(({ location, severity }) => location[0] === 'response' && severity === 'Error')) complaints += 1;
}

for (const request of JSON.parse(readFileSync(file, 'utf8'))) ended.push(send(request));
await Promise.all(ended);
await pool.close();
console.log(complaints);
