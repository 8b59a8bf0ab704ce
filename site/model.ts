import { capitalized } from '../common/text.ts';
import type { CheckResult, Result } from '../conformance/result/result.ts';
import type { Defect as ProofDefect } from '../proof/defect.ts';
import type { Judged } from '../proof/judging.ts';
import type { CheckRow, RequirementRow } from '../proof/kill-matrix.ts';
import type { JudgedStub, Stub } from '../proof/stubs.ts';
import type { Variant as ProofVariant } from '../proof/variant.ts';

/** A server of the proof as it is declared, and what the proof showed of it. */
type Proved<T> = T & Omit<Judged, 'verdict'> & { readonly verdict: string };

/** A defect, and what the proof showed of it. */
export type Defect = Proved<Pick<ProofDefect, 'id' | 'title' | 'breaks' | 'killedBy'>>;

/** The result of `npm run prove`. */
export interface KillMatrix {
  /** False: the proof was not run. Defects and variants show what they expect, and there are no stub servers. */
  readonly proved: boolean;
  readonly defects: readonly Defect[];
  readonly variants: readonly Proved<Pick<ProofVariant, 'id' | 'title' | 'about'>>[];
  readonly stubs: readonly (JudgedStub & Pick<Stub, 'title'>)[];
  readonly checks: readonly CheckRow[];
  readonly requirements: readonly RequirementRow[];
}

/** A request of a check's traffic, with example values. */
export interface SampleRequest {
  readonly purpose: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  /** Undefined: the usual one. */
  readonly contentType?: string;
  readonly body?: string;
}

/** The text of each Markdown file, by its path from the root of the repository. */
export type Documents = ReadonlyMap<string, string>;

/** The area of a requirement: the part of its id before the dot. */
export function areaOf(requirement: string): string {
  return requirement.split('.')[0] ?? requirement;
}

/** The name of an area for a heading, made of its id. */
export function areaTitle(area: string): string {
  return capitalized(area === 'auth' ? 'authentication' : area.replaceAll('-', ' '));
}

/** What a result was judged by, or would be now. */
interface JudgedBy {
  readonly contract: Pick<Result['contract'], 'version' | 'digest'>;
  readonly checks: readonly Pick<CheckResult, 'id' | 'level'>[];
}

/** How a result differs from the current contract and checks. */
export interface Staleness {
  readonly contractVersion?: string;
  /** The version is the same, but the text is not. */
  readonly otherText: boolean;
  /** Checks that are judged only now, and checks that were judged only then. One whose level changed is in both. */
  readonly checksNow: readonly string[];
  readonly checksThen: readonly string[];
}

/**
 * Compares a result with the current contract and checks.
 *
 * @returns undefined if nothing differs
 */
export function staleness(result: JudgedBy, { contract, checks }: JudgedBy): Staleness | undefined {
  const keyOf = ({ id, level }: JudgedBy['checks'][number]): string => `${id} ${level}`;
  const now = new Set(checks.map(keyOf));
  const then = new Set(result.checks.map(keyOf));
  const idsOf = (list: typeof result.checks, others: ReadonlySet<string>): string[] =>
    list.filter((each) => !others.has(keyOf(each))).map(({ id }) => id);
  const { version, digest } = result.contract;
  const sameVersion = version === contract.version;
  const otherText = sameVersion && digest !== contract.digest;
  const [checksNow, checksThen] = [idsOf(checks, then), idsOf(result.checks, now)];
  if (sameVersion && !otherText && checksNow.length + checksThen.length === 0) return undefined;
  return { otherText, checksNow, checksThen, ...(sameVersion ? {} : { contractVersion: version }) };
}
