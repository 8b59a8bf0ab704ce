import { mapBounded } from '../../common/pool.ts';
import { using } from '../../common/using.ts';
import { INPUT_HELP, type Inputs } from '../../conformance/resources/inputs.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { defects, variants } from '../catalogue.ts';
import { disturbances } from '../disturbed/disturbances.ts';
import { brokenTarget, judgeDisturbed } from '../disturbed/main.ts';
import type { Defect } from '../defect.ts';
import { pairsOf } from '../pairs.ts';
import { type Behaviour, inputsFor, withBehaviour } from '../servers/behaviour.ts';
import { stubs } from '../servers/stubs.ts';

/** Servers judged concurrently. */
const AT_ONCE = 8;

/** A run of which a recording is kept. */
export interface Recordable {
  readonly id: string;
  readonly run: (onEvent: NonNullable<RunOptions['onEvent']>) => Promise<unknown>;
}

type Server = Pick<Defect, 'id' | 'behaviour'> & { readonly inputs?: Partial<Inputs> };

function judging({ id, behaviour, inputs }: Server, options: RunOptions = {}): Recordable {
  const run: Recordable['run'] = (onEvent) =>
    withBehaviour(
      behaviour,
      ({ url, seed, reach }) =>
        judgeTarget(inputsFor(url, seed, inputs), { orderSeed: 1, ...reach, ...options, onEvent }),
      false,
    );
  return { id, run };
}

const judgingSome = (servers: readonly Server[], each: number, name: string, options: (server: Server) => RunOptions) =>
  servers
    .filter((_server, index) => index % each === 0)
    .map((server) => judging({ ...server, id: `${server.id}, ${name}` }, options(server)));

const firstCheckOf = ({ id }: Server): string[] =>
  Object.keys(defects.find((each) => each.id === id)?.killedBy ?? {}).slice(0, 1);

/** Somebody else gives all users another name now and then. */
const meddled: Behaviour = {
  around: (handle, store) => {
    let count = 0;
    return (request) => {
      count += 1;
      if (count % 40 === 0) for (const [id, user] of store.users) store.users.set(id, { ...user, name: `M. ${count}` });
      return handle(request);
    };
  },
};

/** Runs that can be under way concurrently: of every server, of pairs of defects, of single checks, with fewer inputs, with another seed. */
export const recordable: readonly Recordable[] = [
  ...[...defects, ...variants].map((each) => judging(each)),
  ...[1, 2, 3, 4].flatMap((seed) =>
    pairsOf(160, seed).map(({ defects: [a, b], behaviour }) => judging({ id: `${a.id} + ${b.id}`, behaviour })),
  ),
  ...stubs.map(({ id, start }) => ({
    id,
    run: (onEvent: NonNullable<RunOptions['onEvent']>) =>
      using(start(), ({ url }) => judgeTarget(inputsFor(url), { onEvent, orderSeed: 1 })),
  })),
  ...Object.keys(INPUT_HELP).map((name) =>
    judging({ id: `without ${name}`, behaviour: {}, inputs: { [name]: undefined } }),
  ),
  ...[{}, meddled].map((behaviour, at) =>
    judging({ id: `ended early ${at}`, behaviour }, { limits: { deadline: 150 } }),
  ),
  judging({ id: 'another client', behaviour: meddled }),
  ...judgingSome(defects, 10, 'another seed', () => ({ orderSeed: 7 })),
  ...judgingSome(defects, 10, 'one check', (server) => ({ only: firstCheckOf(server) })),
  ...judgingSome([...defects, ...variants], 80, 'explored', () => ({ explore: { sequences: 40, seed: 1 } })),
];

const NO_DEFECT: Server = { id: 'none', behaviour: {} };

/** Runs that must be alone, since they have a clock of their own. */
export const recordableAlone: readonly Recordable[] = disturbances.flatMap((disturbance, at) =>
  [NO_DEFECT, brokenTarget(3 * at + 1), brokenTarget(3 * at + 2)].map((server) => ({
    id: `${server.id}, ${disturbance.name}`,
    run: (onEvent: NonNullable<RunOptions['onEvent']>) => judgeDisturbed(disturbance, server, `mutants.${at}`, onEvent),
  })),
);

/** Records runs, `atOnce` of them concurrently. */
export function recordAll(
  all: readonly Recordable[],
  keep: (id: string, text: string) => void,
  atOnce = AT_ONCE,
): Promise<unknown> {
  return mapBounded(all, atOnce, ({ id, run }) =>
    run((event) => {
      if (event.type === 'recorded') keep(id, event.text());
    }),
  );
}
