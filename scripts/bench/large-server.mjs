// The reference server with the banners of a file.
//   node scripts/bench/large-server.mjs FILE
import { readFileSync } from 'node:fs';
import { createReferenceServer } from '../../dist/reference-server/server.js';
import { defaultSeed } from '../../dist/reference-server/seed.js';

const { banners } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { url } = await createReferenceServer({ seed: { ...defaultSeed, banners } });
console.log(url);
