import { describe, expect, it } from 'vitest';
import { cli, judged, succeeds } from '../support/cli.ts';

describe('explain', () => {
  it('knows each id that an output prints', async () => {
    const { result } = await succeeds(judged({}, '--reference'));
    const { checks, requirements: judgedOnes, observations } = result;
    const all = [checks, judgedOnes, observations].flat().map(({ id }) => id);
    const areas = new Set(checks.map(({ area }) => area));
    for (const id of [...all, ...areas, 'status.400-is-422']) {
      const { stdout } = await succeeds(cli(['explain', id]));
      expect(stdout).toMatch(new RegExp(`^${id.replaceAll('.', '\\.')} {2}a`));
    }
  });

  const ofStatus = 'What to change in a server that responds so\n';

  it.each([
    ['status.400-is-422', ofStatus, '422 is the default of the framework'],
    ['status.401-is-403', ofStatus, 'Respond with 401.'],
    ['status.404-is-500', ofStatus, 'the framework turns it into a 500'],
    [
      'bodies.json',
      'bodies.json  a requirement, must; its finding has the same id\n',
      'the whole document (openapi.yaml)',
    ],
    ['errors.body', 'It is judged\n  in every response\n', ''],
  ])('says of %s what to change, and where it stands and is judged', async (id, says, alsoSays) => {
    const { stdout } = await succeeds(cli(['explain', id]));
    expect(stdout).toContain(says);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(alsoSays);
  });
});

it('list says where a requirement without a check of its own is judged', async () => {
  const { stdout } = await succeeds(cli(['list']));
  expect(stdout).toMatch(/^errors\.body {2}must\n(?: {2}\S.*\n)+ {4}judged in every response$/m);
  expect(stdout).toMatch(/^update\.sent-fields-change {2}must\n(?: {2}\S.*\n)+ {4}judged with every update$/m);
});
