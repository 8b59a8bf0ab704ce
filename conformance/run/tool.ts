import { readFileSync } from 'node:fs';

function readPackage(): { name: string; version: string } {
  // Two places: this file runs from its source in tests, and from dist/ in the package.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<
        string,
        string
      >;
      if (name !== undefined && version !== undefined) return { name, version };
    } catch {
      continue;
    }
  }
  throw new Error('The package.json of the suite is missing.');
}

/** Name and version of this package. */
export const tool = readPackage();
