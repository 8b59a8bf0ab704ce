import { mkdirSync, writeFileSync } from 'node:fs';
import { checks, contractDocument, openPoints, requirements } from '../conformance/index.ts';

/**
 * What the pages show of the suite and of the contract, by the name of its file. This is the only place of the site that knows
 * the suite; the schemas of the collections (`src/content.config.ts`) say which members the pages use.
 */
export const siteData = {
  requirements,
  'open-points': openPoints,
  checks: checks.map(({ id, title, level, area, requirement, needs }) => ({
    ...{ id, title, level, area, requirement, needs },
  })),
  contract: contractDocument,
} as const;

/** Writes the data of the site as JSON files into a folder. */
export function writeSiteData(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(siteData)) writeFileSync(`${folder}/${name}.json`, JSON.stringify(data));
}
