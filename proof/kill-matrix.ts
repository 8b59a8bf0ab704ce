import { openPoints, requirements, type Level } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import type { Defect } from './defect.ts';
import type { Judged } from './judging.ts';
import type { Variant } from './variant.ts';

/** A check and what proves that it is needed. */
export interface CheckRow {
  readonly id: string;
  readonly level: Level;
  readonly requirements: readonly string[];
  /** The defects that it fails on. */
  readonly killedBy: readonly string[];
  /** Those of them that no other check of one of its requirements fails on. */
  readonly aloneOn: readonly string[];
  /** Why it is there although no defect needs it. */
  readonly redundancy?: string;
}

/** A requirement or open point of the contract, and what rests on it. */
export interface RequirementRow {
  readonly id: string;
  readonly kind: Level | 'open';
  readonly text: string;
  readonly source: string;
  readonly checks: readonly string[];
  readonly defects: readonly string[];
  readonly variants: readonly string[];
}

function isAlone(check: string, requirement: string, { failed }: Judged): boolean {
  return !checks.some(({ id, requirements: own }) => id !== check && id in failed && own.includes(requirement));
}

/**
 * What each check is needed for.
 *
 * @param judged what the defects showed
 * @param redundancies why a check is there although no defect needs it, by the check's id
 */
export function checkRows(judged: readonly Judged[], redundancies: Readonly<Record<string, string>>): CheckRow[] {
  return checks.map(({ id, level, requirements: own }) => {
    const killers = judged.filter(({ failed }) => id in failed);
    const alone = killers.filter((each) => own.some((requirement) => isAlone(id, requirement, each)));
    const redundancy = redundancies[id];
    return {
      id,
      level,
      requirements: own,
      killedBy: killers.map((each) => each.id),
      aloneOn: alone.map((each) => each.id),
      ...(redundancy === undefined ? {} : { redundancy }),
    };
  });
}

/** Every requirement and open point with its checks, defects and variants. */
export function requirementRows(defects: readonly Defect[], variants: readonly Variant[]): RequirementRow[] {
  const idsOf = (servers: readonly { readonly id: string }[]): string[] => servers.map(({ id }) => id);
  return [...requirements, ...openPoints.map((each) => ({ ...each, level: 'open' as const }))].map(
    ({ id, level, text, source }) => ({
      id,
      kind: level,
      text,
      source,
      checks: idsOf(checks.filter((check) => check.requirements.includes(id))),
      defects: idsOf(defects.filter(({ breaks }) => breaks.includes(id))),
      variants: idsOf(variants.filter(({ about }) => about.includes(id))),
    }),
  );
}

/** The checks that no defect needs, and those that are explained as such although one does; each in one sentence. */
export function checkGaps(checkTable: readonly CheckRow[]): string[] {
  return checkTable.flatMap(({ id, killedBy, aloneOn, redundancy }) => {
    if (killedBy.length === 0) return [`no defect kills the check ${id}`];
    if (aloneOn.length === 0 && redundancy === undefined)
      return [
        `the check ${id} fails only where another check of the same requirement fails too; explain it or delete it`,
      ];
    if (aloneOn.length > 0 && redundancy !== undefined)
      return [`the check ${id} is explained as redundant, but ${aloneOn[0] ?? ''} needs it`];
    return [];
  });
}

/**
 * The requirements and open points that nothing rests on, each in one sentence.
 *
 * @param untouchable why no variant can be about a requirement, by its id
 */
export function requirementGaps(
  requirementTable: readonly RequirementRow[],
  untouchable: Readonly<Record<string, string>>,
): string[] {
  const unknown = Object.keys(untouchable).filter((id) => !requirementTable.some((each) => each.id === id));
  return [
    ...unknown.map((id) => `${id} is said to leave no freedom, but there is no such requirement`),
    ...requirementTable.flatMap(({ id, kind, checks: own, defects, variants }) => [
      ...(kind !== 'open' && own.length === 0 ? [`no check judges ${id}`] : []),
      ...(kind !== 'open' && defects.length === 0 ? [`no defect breaks ${id}`] : []),
      ...(variants.length === 0 && !(id in untouchable) ? [`no variant uses the freedom of ${id}`] : []),
      ...(variants.length > 0 && id in untouchable ? [`${id} is said to leave no freedom, but a variant uses it`] : []),
    ]),
  ];
}

/** Ids that are given twice, over all catalogues. */
function repeatedIds(...catalogues: readonly (readonly { readonly id: string }[])[]): string[] {
  const ids = catalogues.flat().map(({ id }) => id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) < index))];
}

/** What a defect or variant names, and what neither the contract nor the suite has. */
export function unknownNames(defects: readonly Defect[], variants: readonly Variant[]): string[] {
  const binding = new Set(requirements.map(({ id }) => id));
  const known = new Set([...binding, ...openPoints.map(({ id }) => id)]);
  const modes = new Map(checks.map(({ id, failureModes }) => [id, failureModes]));
  const unknown = (ids: readonly string[], among: ReadonlySet<string>): string[] => ids.filter((id) => !among.has(id));
  return [
    ...defects.flatMap(({ id, breaks, killedBy }) => [
      ...unknown(breaks, binding).map((each) => `${id} breaks ${each}, and there is no such requirement`),
      ...Object.entries(killedBy).flatMap(([check, mode]) => {
        const own = modes.get(check);
        if (!own) return [`${id} is killed by ${check}, and there is no such check`];
        return mode in own ? [] : [`${id} is killed by ${check} as ${mode}, and the check has no such mode`];
      }),
    ]),
    ...variants.flatMap(({ id, about }) =>
      unknown(about, known).map((each) => `${id} is about ${each}, and there is no such requirement`),
    ),
  ];
}

/** The servers of the proof, and the reasons for what they leave out. */
export interface Catalogues {
  readonly defects: readonly Defect[];
  readonly variants: readonly Variant[];
  readonly stubs: readonly { readonly id: string }[];
  readonly redundantChecks: Readonly<Record<string, string>>;
  readonly requirementsWithoutFreedom: Readonly<Record<string, string>>;
}

/** What is wrong with the catalogues as they are written, without a run of any server; each in one sentence. */
export function catalogueProblems(catalogues: Catalogues): string[] {
  const { defects, variants, stubs, redundantChecks, requirementsWithoutFreedom } = catalogues;
  const named = new Set(defects.flatMap(({ killedBy }) => Object.keys(killedBy)));
  const unexplained = Object.keys(redundantChecks).filter((id) => !checks.some((check) => check.id === id));
  return [
    ...repeatedIds(defects, variants, stubs).map((id) => `the id ${id} is used twice`),
    ...unknownNames(defects, variants),
    ...checks
      .filter(({ id }) => !named.has(id))
      .map(
        ({ id }) =>
          `it is recorded of no defect that the check ${id} kills it: write one, and npm run prove -- --record --check ${id}`,
      ),
    ...unexplained.map((id) => `the redundancy of ${id} is explained, but there is no such check`),
    ...requirementGaps(requirementRows(defects, variants), requirementsWithoutFreedom),
  ];
}
