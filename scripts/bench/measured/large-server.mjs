// The reference server with the banners of a file.
//   node scripts/bench/measured/large-server.mjs FILE
import { readFileSync } from 'node:fs';
import { createReferenceServer } from '../../../reference-server/server.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';

const { banners } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { url } = await createReferenceServer({ seed: { ...defaultSeed, banners } });
console.log(url);
