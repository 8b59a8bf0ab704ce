import { existsSync, readFileSync } from 'node:fs';

// Two places: this file runs from its source in tests, and from dist/ in the package.
const places = ['../../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));
const manifest = readFileSync(places.find((place) => existsSync(place)) ?? '', 'utf8');
const { name, version } = JSON.parse(manifest) as { name: string; version: string };

/** Name and version of this package. */
export const tool = { name, version };
