import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of this repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** The text of a file of this repository. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
