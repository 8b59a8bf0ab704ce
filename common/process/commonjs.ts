import { createRequire } from 'node:module';

/**
 * Loads a CommonJS module of a package. For an import, Node would search its source for the names of its exports, which takes
 * longer than to load it. Used as `const name = requireModule('package/file.js')`, so that the executable can include the module.
 */
export const requireModule: (path: string) => unknown = createRequire(import.meta.url);
