import type { Level, OpenPoint, Requirement } from '../contract/document.ts';
import type { Check } from '../conformance/judging/check.ts';
import type { Result } from '../conformance/result/result.ts';
import type { CheckRow, SentenceRow } from '../proof/kill-matrix.ts';

/** A broken server, and what the proof showed of it. */
export interface BrokenServer {
  readonly id: string;
  readonly title: string;
  readonly breaks: readonly string[];
  /** The checks that must fail, each with the failure mode. */
  readonly killedBy: Readonly<Record<string, string>>;
  readonly verdict: string;
  /** The checks that did fail, each with the failure mode. */
  readonly failed: Readonly<Record<string, string>>;
}

/** A lawful server, and what the proof showed of it. */
export interface LawfulServer {
  readonly id: string;
  readonly title: string;
  /** The requirements and open points whose freedom it uses. */
  readonly about: readonly string[];
  readonly verdict: string;
  readonly inconclusive: Readonly<Record<string, string>>;
}

/** A server without sense, and how many of the `must` checks it passed. */
export interface TrivialServer {
  readonly id: string;
  readonly title: string;
  readonly verdict: string;
  readonly score: { readonly passed: number; readonly total: number };
}

/** What `npm run prove` showed. */
export interface KillMatrix {
  readonly defects: readonly BrokenServer[];
  readonly variants: readonly LawfulServer[];
  readonly stubs: readonly TrivialServer[];
  readonly checks: readonly CheckRow[];
  readonly sentences: readonly SentenceRow[];
}

/** An implementation, with the unmodified result of a run on it. */
export interface Implementation {
  /** Names its files and its page. */
  readonly id: string;
  readonly title: string;
  readonly language: string;
  readonly version: string;
  /** What it is, in a sentence or two. */
  readonly summary: string;
  /** The shell script that makes the result again. */
  readonly script: string;
  readonly result: Result;
  /** The bytes of the result file. */
  readonly resultText: string;
}

/** A file of the contract, as it is published. */
export interface Download {
  readonly name: string;
  readonly content: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A request of a check's traffic, with example values. */
export interface SampleRequest {
  readonly purpose: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  /** Undefined where it is the usual one. */
  readonly contentType?: string;
  readonly body?: string;
}

/** Everything that the site is made of. */
export interface SiteData {
  readonly tool: { readonly name: string; readonly version: string };
  readonly contract: {
    readonly title: string;
    readonly summary: string;
    readonly version: string;
    /** SHA-256 of the contract as JSON. */
    readonly digest: string;
  };
  readonly requirements: readonly Requirement[];
  readonly openPoints: readonly OpenPoint[];
  readonly checks: readonly Check[];
  readonly matrix: KillMatrix;
  readonly implementations: readonly Implementation[];
  readonly downloads: readonly Download[];
  /** CHANGELOG.md and README.md. */
  readonly changelog: string;
  readonly readme: string;
}

const AREA_TITLES: Readonly<Record<string, string>> = {
  bodies: 'Bodies',
  update: 'Partial update',
  refusals: 'Refused updates',
  'missing-user': 'Missing user',
  permission: 'Permission',
  'path-id': 'Id in the path',
  'request-body': 'Request body',
  auth: 'Authentication',
  user: 'User in an answer',
  banners: 'List of banners',
  banner: 'Banner',
  errors: 'Errors',
};

/** The area of a requirement: the part of its id before the point. */
export function areaOf(requirement: string): string {
  return requirement.split('.')[0] ?? requirement;
}

/** The name of an area for a heading; an area that has none goes by its id. */
export function areaTitle(area: string): string {
  return AREA_TITLES[area] ?? area;
}

/** Where things stand on the site, from its root. */
export const at = {
  requirement: (id: string): string => `requirements.html#${id}`,
  check: (id: string): string => `checks/${id}.html`,
  mode: (check: string, mode: string): string => `checks/${check}.html#${mode}`,
  openPoint: (id: string): string => `open-points.html#${id}`,
  proofOf: (requirement: string): string => `proof/${areaOf(requirement)}.html#${requirement}`,
  defect: ({ id, breaks: [first = ''] }: Pick<BrokenServer, 'id' | 'breaks'>): string =>
    `proof/${areaOf(first)}.html#${id}`,
  variant: (id: string): string => `proof/lawful-servers.html#${id}`,
  implementation: (id: string): string => `implementations/${id}.html`,
  statement: (id: string): string => (id.startsWith('open.') ? at.openPoint(id) : at.requirement(id)),
} as const;

/** In which way a result is older than what it stands beside. */
export interface Staleness {
  readonly contractVersion?: string;
  /** The version is the same, and the text is not. */
  readonly otherText: boolean;
  /** Checks that are judged now, and were not then; and the other way round. Those of another level are in both. */
  readonly checksNow: readonly string[];
  readonly checksThen: readonly string[];
}

/**
 * Compares a result with the contract and the checks of now.
 *
 * @returns undefined if a run of today would judge by the same
 */
export function staleness(
  result: Pick<Result, 'contract'> & { readonly checks: readonly { readonly id: string; readonly level: Level }[] },
  { contract, checks }: Pick<SiteData, 'contract' | 'checks'>,
): Staleness | undefined {
  const keyOf = ({ id, level }: { readonly id: string; readonly level: Level }): string => `${id} ${level}`;
  const now = new Set(checks.map(keyOf));
  const then = new Set(result.checks.map(keyOf));
  const idsOf = (list: typeof result.checks, others: ReadonlySet<string>): string[] =>
    list.filter((each) => !others.has(keyOf(each))).map(({ id }) => id);
  const found = {
    otherText: result.contract.version === contract.version && result.contract.digest !== contract.digest,
    checksNow: idsOf(checks, then),
    checksThen: idsOf(result.checks, now),
    ...(result.contract.version === contract.version ? {} : { contractVersion: result.contract.version }),
  };
  const fresh =
    found.contractVersion === undefined &&
    !found.otherText &&
    found.checksNow.length === 0 &&
    found.checksThen.length === 0;
  return fresh ? undefined : found;
}
