import { capitalized, counted } from '../common/text.ts';
import type { CheckResult, Result } from '../conformance/result/result.ts';
import type { Defect as ProofDefect } from '../proof/defect.ts';
import type { Judged } from '../proof/judging.ts';
import type { CheckRow, RequirementRow } from '../proof/kill-matrix.ts';
import type { JudgedStub, Stub } from '../proof/servers/stubs.ts';
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

/** How a result differs from the current contract and checks, in sentences; empty if nothing differs. */
export function staleness(result: JudgedBy, { contract, checks }: JudgedBy): string {
  const keyOf = ({ id, level }: JudgedBy['checks'][number]): string => `${id} ${level}`;
  /** How many checks are judged only by the one, or at another level. */
  const alone = (own: typeof checks, others: typeof checks): number =>
    own.filter((each) => !others.some((other) => keyOf(other) === keyOf(each))).length;
  const [now, then] = [alone(checks, result.checks), alone(result.checks, checks)];
  const { version, digest } = result.contract;
  const sentences = [
    version !== contract.version && `Judged by contract ${version}; this site describes ${contract.version}.`,
    version === contract.version && digest !== contract.digest && `Judged by an earlier text of contract ${version}.`,
    now > 0 && `Without ${counted(now, 'current check')}.`,
    then > 0 && `With ${counted(then, 'check')} that no longer ${then === 1 ? 'exists' : 'exist'}.`,
  ];
  return sentences.filter((words) => words !== false).join(' ');
}
