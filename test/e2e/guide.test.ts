import { describe, expect, it } from 'vitest';
import { cli, succeeds } from '../support/cli.ts';
import { read } from '../support/repository.ts';
import { environmentFor, withServer } from '../support/target.ts';
import { Refused, type Rules } from '../../reference-server/rules.ts';
import type { UpdateUser } from '../../contract/document.ts';

/** The commands of each step of the guide, without their program. */
const steps = [...read('docs/write-a-server.md').matchAll(/^(\d)\. \*\*([^*]+)\*\*([^]*?)(?=\n\d\. |\n\n)/gm)].map(
  ([, number, title = '', text = '']) => ({
    number: Number(number),
    title,
    commands: [...text.matchAll(/`(run(?: [^`]+)?)`/g)].map(([, command = '']) => command.replaceAll("'", '')),
  }),
);

/** What a server does that has not taken a step yet: each of these is gone with the step of its number. */
const BEFORE: Readonly<Record<number, Partial<Rules>>> = {
  4: { authenticate: () => 'admin' },
  5: {
    parseUserId: () => {
      throw new Refused(404, 'There is no such path.');
    },
  },
  6: { authorize: () => undefined, findUser: ({ users }, id) => users.get(id) ?? { id } },
  7: {
    parseUserId: (segment) => Number.parseInt(segment, 10),
    parseBody: (body) => JSON.parse(body.toString()) as unknown,
    validateUpdate: (value) => value as UpdateUser,
  },
};
const FIRST = 3;

/** Runs a command against the server that has taken the steps up to this one. */
function runAfter(step: number, command: string) {
  const left = Object.keys(BEFORE).filter((number) => Number(number) > step);
  // Of two that replace the same rule, the earlier step decides.
  const rules = left.toReversed().map((number) => BEFORE[Number(number)]);
  return withServer({ replace: () => Object.assign({}, ...rules) as Partial<Rules> }, (server) =>
    cli(command.split(' '), environmentFor(server)),
  );
}

describe('the guide for writing a server', () => {
  it('has a command in each step but the second', () => {
    expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(steps.filter(({ commands }) => commands.length === 0).map(({ number }) => number)).toEqual([2]);
  });

  it.each(steps.filter(({ number }) => number >= FIRST))(
    'can be followed literally: step $number, "$title"',
    async ({ number, commands }) => {
      for (const command of commands) await succeeds(runAfter(number, command));
    },
  );

  it.each(steps.filter(({ number }) => number in BEFORE))(
    'has a command in step $number that fails before the step is done',
    async ({ number, commands: [command = ''] }) => {
      expect((await runAfter(number - 1, command)).code).not.toBe(0);
    },
  );
});
