/** Looks again at what a breach of each requirement looks like, and writes it into breaches.json. It takes some minutes. */
import { writeFileSync } from 'node:fs';
import { findBreaches } from './breaches.ts';

const found = await findBreaches();
writeFileSync(new URL('breaches.json', import.meta.url), `${JSON.stringify(found, null, 2)}\n`);
