import { describe, expect, it } from 'vitest';
import { using } from '../../common/using.ts';
import { cli } from '../support/cli.ts';
import { read } from '../support/repository.ts';
import { serverAfter, SETTINGS, STEPS } from '../support/steps.ts';

/** The commands of each step of the guide, without their program. */
const steps = [...read('docs/write-a-server.md').matchAll(/^(\d)\. \*\*([^*]+)\*\*([^]*?)(?=\n\d\. |\n\n)/gm)].map(
  ([, number, title = '', text = '']) => ({
    number: Number(number),
    title,
    commands: [...text.matchAll(/`(run(?: [^`]+)?)`/g)].map(([, command = '']) => command.replaceAll("'", '')),
  }),
);
const LAST = Math.max(...Object.values(STEPS));

describe('the guide for writing a server', () => {
  it('has a command in each step but the second', () => {
    expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(steps.filter(({ commands }) => commands.length === 0).map(({ number }) => number)).toEqual([2]);
  });

  it.each(steps.filter(({ number }) => number >= STEPS.list))(
    'can be followed literally: step $number, "$title"',
    async ({ number, commands }) => {
      await using(serverAfter(Math.min(number, LAST)), async ({ url }) => {
        for (const command of commands) {
          const [run = '', ...options] = command.split(' ');
          const { code, stdout } = await cli([run, url, ...options], SETTINGS);
          expect(code, stdout).toBe(0);
        }
      });
    },
  );

  it.each(steps.filter(({ number }) => number > STEPS.list && number <= LAST))(
    'has a command in step $number that fails before the step is done',
    async ({ number, commands }) => {
      await using(serverAfter(number - 1), async ({ url }) => {
        const [run = '', ...options] = (commands[0] ?? '').split(' ');
        const { code } = await cli([run, url, ...options], SETTINGS);
        expect(code).not.toBe(0);
      });
    },
  );
});
