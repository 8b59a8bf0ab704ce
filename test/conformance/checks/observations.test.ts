import { expect, it } from 'vitest';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import { observe } from '../../../conformance/checks/observations.ts';
import { answered, bannersRequest, recordingOf } from '../../support/exchanges.ts';
import { judgeBehaviour } from '../../support/judging.ts';
import { writing } from '../../../proof/variants/freedoms.ts';

it('names a member in another spelling with the one that it stands for, also on a failed run', async () => {
  const behaviour = writing((text) => text.replaceAll('"isAPI":', '"isApi":'));
  const { result } = await judgeBehaviour(behaviour, { only: ['user', 'banners'] });
  const observation = result.observations.find(({ id }) => id === 'open.extra-members');
  expect(observation).toMatchObject({ observed: 'respelled', detail: ['user.isApi in place of isAPI'] });
  const text = (verdict: 'passed' | 'failed'): string =>
    terminalText(resultDocument({ ...result, verdict }), { paint: plain, width: 80 }).replaceAll(/\s+/g, ' ');
  expect(text('failed')).toContain('user.isApi in place of isAPI. (open.extra-members)');
  expect(text('failed')).not.toContain('open.shown-members');
  expect(text('passed').match(/in place of isAPI/g)).toHaveLength(1);
});

it('says that a target asked for pauses, and how often', () => {
  const exchanges = [1, 2].map((pauses) => ({ ...answered(bannersRequest(), 200), pauses }));
  const limits = observe(recordingOf(exchanges)).find(({ id }) => id === 'open.limits');
  expect(limits).toMatchObject({ observed: 'throttled', detail: '3 times' });
});
