import { expect, it } from 'vitest';
import type { Behaviour } from '../../../../proof/servers/behaviour.ts';
import { updating, withAll } from '../../../../proof/defects/update-user/updates.ts';
import { judgeBehaviour } from '../../../support/judging.ts';

/** The purposes of the updates that a run sends to a server. */
async function sentTo(behaviour: Behaviour, only: readonly string[]): Promise<readonly string[]> {
  return (await judgeBehaviour(behaviour, { only })).sent;
}

const NAMES = ['update-name-*', 'update-email-*', 'update-member-*'];
const MARKUP = 'An update with a name with markup characters as name';

it('sends one update for several scenarios where the target does what was sent', async () => {
  const sent = await sentTo({}, NAMES);
  expect(sent).not.toContain(MARKUP);
  expect(sent.filter((purpose) => purpose.startsWith('An update with a name with markup characters, '))).toHaveLength(
    1,
  );
});

it('sends each scenario by itself where the target does something else', async () => {
  const stripped = updating(withAll('name'), ({ after }) => ({ name: after.name?.replaceAll('<b>', '') }));
  expect(await sentTo(stripped, NAMES)).toContain(MARKUP);
});
