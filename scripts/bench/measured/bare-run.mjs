import { readFileSync } from 'node:fs';
import { sendAll } from './send.mjs';

const [url, file] = process.argv.slice(2);
await sendAll(url, JSON.parse(readFileSync(file, 'utf8')));
