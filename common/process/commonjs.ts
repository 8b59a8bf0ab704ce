import { createRequire } from 'node:module';

/** Loads a CommonJS module of a package. An import would be slower: Node would search the source for the names of its exports. */
export const requireModule: (path: string) => unknown = createRequire(import.meta.url);
