import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../common/process/args.ts';
import { execute, type Execution } from '../common/process/process.ts';
import { arrayOf, member, objectOf, textOf } from '../common/json.ts';
import { valuesUnder } from '../common/openapi.ts';
import { parseRetiredIds } from '../contract/retired-ids.ts';
import type { Base } from './base.ts';
import type { Description, Judgement } from '../openapi-judge/src/index.ts';
import {
  changelogProblems,
  frozenIds,
  idProblems,
  RETIRED_IDS,
  scoredSet,
  scoredSetProblems,
  versionProblems,
  type IdsByKind,
  type Problems,
} from './policy.ts';

const FROZEN_IDS = 'contract/frozen.json';

/** What the steps judge. */
export interface Situation {
  readonly base: Base;
  readonly head: Description;
  readonly judgement: Judgement;
}

/** What is wrong, or why there is nothing to run. */
export type Outcome = Problems | { readonly notThere: string };

/** One step of the gate. */
export interface Step {
  readonly name: string;
  readonly title: string;
  readonly run: (situation: Situation) => Outcome | Promise<Outcome>;
}

/** The version that a contract gives itself. */
export function versionOf({ root }: Description): string {
  return textOf(member(root.info, 'version')) ?? '';
}

function parsed(text: string | undefined, path: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path}: this is not JSON.`);
  }
}

function local(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The ids that a contract itself gives: of its requirements and its open points. */
function idsOf({ root }: Description): IdsByKind {
  const ids = (kind: string): ReadonlySet<string> =>
    new Set(
      valuesUnder(kind, root).flatMap(({ value }) => arrayOf(value).map((each) => textOf(member(each, 'id')) ?? '')),
    );
  return { requirements: ids('x-requirements'), openPoints: ids('x-open-points') };
}

async function frozenStep({ base, head, judgement }: Situation): Promise<Outcome> {
  const before = {
    ...frozenIds(parsed(await base.file(FROZEN_IDS), FROZEN_IDS)),
    ...idsOf(base.description),
  };
  const after = { ...frozenIds(parsed(local(FROZEN_IDS), FROZEN_IDS)), ...idsOf(head) };
  const retiredBefore = parseRetiredIds(parsed(await base.file(RETIRED_IDS), RETIRED_IDS)) ?? [];
  const reused = judgement.changes.filter(({ rule }) => rule === 'requirement-changed');
  return [
    ...idProblems(before, after, retiredBefore, parseRetiredIds(parsed(local(RETIRED_IDS), RETIRED_IDS) ?? [])),
    ...reused.map(({ message }) => `The meaning of an id may not change: ${message}.`),
  ];
}

async function scoredStep({ base, head }: Situation): Promise<Outcome> {
  const before = scoredSet(parsed(await base.file(FROZEN_IDS), FROZEN_IDS));
  const after = scoredSet(parsed(local(FROZEN_IDS), FROZEN_IDS));
  if (after === undefined) {
    return before === undefined
      ? { notThere: `there is no ${FROZEN_IDS}` }
      : [`${FROZEN_IDS} is gone, or is not a scored set; restore it.`];
  }
  return scoredSetProblems(before, after, versionOf(head));
}

/** How many lines of a script that failed are shown. */
const MOST_LINES = 40;

/** What is wrong, in the words of a script that failed: on stdout from its first ✗ on; on stderr where it says nothing there. */
function causeOf({ stdout, stderr }: Pick<Execution, 'stdout' | 'stderr'>): string[] {
  const lines = (stdout.trim() === '' ? stderr : stdout).split('\n').filter((line) => line.trim() !== '');
  const first = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('✗')),
  );
  const more = lines.length - first - MOST_LINES;
  return [
    ...lines.slice(first, first + MOST_LINES),
    ...(more > 0 ? [`… and ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
  ];
}

/** Runs a script of package.json, if there is one of this name. */
function script(name: string, ...args: string[]): () => Promise<Outcome> {
  return async () => {
    const scripts = objectOf(objectOf(parsed(local('package.json'), 'package.json')).scripts);
    if (!Object.hasOwn(scripts, name)) return { notThere: `package.json has no script ${name}` };
    const command = ['run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])];
    const { error, ...written } = await execute(['npm', ...command]);
    return error === null ? [] : [`npm ${command.join(' ')} failed; fix what it reports:`, ...causeOf(written)];
  };
}

/** The steps of the gate, in the order in which they run. */
export const STEPS: readonly Step[] = [
  { name: 'diff', title: 'The change is judged', run: () => [] },
  {
    name: 'version',
    title: '`info.version` is bumped enough',
    run: ({ base, head, judgement }) => versionProblems(versionOf(base.description), versionOf(head), judgement.bump),
  },
  {
    name: 'changelog',
    title: 'The changelog names the version',
    run: ({ head, judgement }) => changelogProblems(local('CHANGELOG.md'), versionOf(head), judgement.bump),
  },
  { name: 'ids', title: 'Frozen ids are kept', run: frozenStep },
  { name: 'scored-set', title: 'The scored set is kept', run: scoredStep },
  { name: 'lint', title: 'The contract is clean and its examples are valid', run: script('lint:contract') },
  { name: 'generated', title: 'Generated files are fresh', run: script('generate', '--check') },
  { name: 'reference', title: 'The reference server passes', run: script('conformance') },
  { name: 'proof', title: 'The proof holds', run: script('prove') },
  { name: 'coverage', title: 'The checks cover the contract', run: script('coverage:contract') },
];
