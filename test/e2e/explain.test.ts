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

  it.each([
    ['status.400-is-422', '422 is the default of the framework'],
    ['status.401-is-403', 'Respond with 401.'],
    ['status.404-is-500', 'the framework turns it into a 500'],
  ])('says what to change where all refusals get a wrong status: %s', async (id, fix) => {
    const { stdout } = await succeeds(cli(['explain', id]));
    expect(stdout).toContain('What to change in a server that responds so\n');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(fix);
  });

  it('says where a requirement of the whole document stands', async () => {
    const { stdout } = await succeeds(cli(['explain', 'bodies.json']));
    expect(stdout).toContain('bodies.json  a requirement, must; its finding has the same id\n');
    expect(stdout).toContain('the whole document (openapi.yaml)');
  });

  it('and list say where a requirement without a check of its own is judged', async () => {
    const { stdout } = await succeeds(cli(['explain', 'errors.body']));
    expect(stdout).toContain('It is judged\n  in every response\n');
    const listed = (await succeeds(cli(['list']))).stdout;
    expect(listed).toMatch(/^errors\.body {2}must\n(?: {2}\S.*\n)+ {4}judged in every response$/m);
    expect(listed).toMatch(/^update\.sent-fields-change {2}must\n(?: {2}\S.*\n)+ {4}judged with every update$/m);
  });
});
