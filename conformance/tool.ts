import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { name, version } = JSON.parse(manifest) as { name: string; version: string };

/** Name and version of this package. */
export const tool = { name, version };
