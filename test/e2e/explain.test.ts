import { describe, expect, it } from 'vitest';
import { cli, succeeds } from '../support/cli.ts';

describe('explain', () => {
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
    ['update-name', 'update-name  a check, must\n', 'Accept every valid update'],
    ['update', 'update  an area\n', '"run --only update" runs its checks.'],
    ['open.empty-body', 'open.empty-body  an open point, silent; it is never judged\n', 'What the suite observes'],
  ])('says of %s what it is, where it stands and is judged, and what to change', async (id, says, alsoSays) => {
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
