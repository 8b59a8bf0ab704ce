// Reads a file and parses it so many times.
//   node scripts/bench/measured/parse.mjs FILE TIMES
import { readFileSync } from 'node:fs';

const bytes = readFileSync(process.argv[2]);
for (let time = 0; time < Number(process.argv[3]); time += 1) JSON.parse(bytes.toString('utf8'));
