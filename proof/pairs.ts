import { createHash } from 'node:crypto';
import type { RunOptions } from '../conformance/run/events.ts';
import { createService } from '../reference-server/service.ts';
import type { Behaviour } from './servers/behaviour.ts';
import { judgeServer } from './servers/judge.ts';
import { defects } from './catalogue.ts';
import type { Defect } from './defect.ts';
import { judgePatiently } from './patience.ts';
import type { Change, WireAnswer } from './wire/wire-server.ts';

/** Two defects, and a server that has both. */
export interface Pair {
  readonly defects: readonly [Defect, Defect];
  readonly behaviour: Behaviour;
}

/** What a run on a server with two defects showed; the proof holds if nothing is foreign and nothing passed. */
export interface JudgedPair {
  /** The ids of both defects. */
  readonly id: string;
  /** The requirements reported broken that neither defect breaks. */
  readonly foreign: readonly string[];
  /** The defects that no check names apart: each check that only this one fails is inconclusive because of the other. */
  readonly covered: readonly string[];
  /** The checks that passed although such a defect is there. */
  readonly passed: readonly string[];
}

/** What only one part of a server can do. */
const EXCLUSIVE = ['around', 'deliver', 'instead', 'oneAtATime', 'toService', 'basePath', 'seed'] as const;

function replacedBy({ replace }: Behaviour): string[] {
  const { rules, store } = createService();
  return Object.keys(replace?.(rules, store) ?? {});
}

/** A server that behaves in both ways; undefined if one would take the place of the other. */
export function together(a: Behaviour, b: Behaviour): Behaviour | undefined {
  const own = [a, b].map(replacedBy);
  if (own[0]?.some((rule) => own[1]?.includes(rule))) return undefined;
  if (EXCLUSIVE.some((key) => a[key] !== undefined && b[key] !== undefined)) return undefined;
  const changes = [a, b].flatMap(({ change }) => change ?? []);
  return {
    ...a,
    ...b,
    ...(changes.length > 0 && { change: inTurn(changes) }),
    replace: (rules, store) => {
      const replaced = a.replace?.(rules, store) ?? {};
      return { ...replaced, ...b.replace?.({ ...rules, ...replaced }, store) };
    },
  };
}

function inTurn(changes: readonly Change[]): Change {
  return ({ request, answer, store }) =>
    changes.reduce<WireAnswer | undefined>(
      (changed, change) => changed && change({ request, answer: changed, store }),
      answer,
    );
}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex');

function byHash<T extends { readonly id: string }>(list: readonly T[], salt: string): T[] {
  return list
    .map((each) => ({ each, hash: hashOf(`${salt} ${each.id}`) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ each }) => each);
}

const ownChecks = (defect: Defect, other: Defect): string[] =>
  Object.keys(defect.killedBy).filter((id) => !Object.hasOwn(other.killedBy, id));

/** Whether a report can name two defects apart. */
function areApart(a: Defect, b: Defect): boolean {
  return (
    !a.breaks.some((requirement) => b.breaks.includes(requirement)) &&
    ownChecks(a, b).length > 0 &&
    ownChecks(b, a).length > 0
  );
}

/** Pairs of defects. Which they are depends on their ids and the seed alone, so that a new defect changes few of them. */
export function pairsOf(count: number, seed: number): Pair[] {
  const usable = defects.filter(({ inputs }) => inputs === undefined);
  return byHash(usable, `${seed}`)
    .slice(0, count)
    .flatMap((a) => {
      for (const b of byHash(usable, `${seed} ${a.id}`)) {
        const behaviour = a !== b && areApart(a, b) ? together(a.behaviour, b.behaviour) : undefined;
        if (behaviour) return [{ defects: [a, b] as const, behaviour }];
      }
      return [];
    });
}

/** Judges a server with two defects by the whole suite. */
export function provePair({ defects: [a, b], behaviour }: Pair, orderSeed: number): Promise<JudgedPair> {
  const judgeOnce = async (options: RunOptions): Promise<JudgedPair> => {
    const { result } = await judgeServer({ behaviour }, { ...options, failOn: 'should', orderSeed });
    const { checks, requirements } = result;
    const outcomes = new Map(checks.map(({ id, outcome }) => [id, outcome]));
    const own = [ownChecks(a, b), ownChecks(b, a)];
    const covered = [a, b].filter((_, at) => !own[at]?.some((id) => outcomes.get(id) === 'failed'));
    return {
      id: `${a.id} + ${b.id}`,
      foreign: requirements
        .filter(({ id, outcome }) => outcome === 'failed' && ![...a.breaks, ...b.breaks].includes(id))
        .map(({ id }) => id),
      covered: covered.map(({ id }) => id),
      passed: [a, b]
        .flatMap((each, at) => (covered.includes(each) ? (own[at] ?? []) : []))
        .filter((id) => outcomes.get(id) === 'passed'),
    };
  };
  return judgePatiently(judgeOnce, {}, ({ covered }) => covered.length > 0);
}
