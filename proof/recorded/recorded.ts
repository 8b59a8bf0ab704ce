import { readFileSync } from 'node:fs';

/** By the id of a server: checks, each with its failure mode or with its reason. */
export type ByServer = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What servers of the proof showed when it was recorded, and was reviewed. */
export interface Recorded {
  /** The checks that fail on each defect, with their modes. */
  readonly killedBy: ByServer;
  /** The checks that are inconclusive on each conforming variant, with their reasons. */
  readonly inconclusive: ByServer;
}

/** What `proof/recorded/recorded.json` says. */
export const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as Recorded;
