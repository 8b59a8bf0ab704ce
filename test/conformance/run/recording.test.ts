import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../common/process/args.ts';
import type { RunOptions } from '../../../conformance/run/events.ts';
import { judgeAgain } from '../../../conformance/run/run.ts';
import type { Result } from '../../../conformance/result/result.ts';
import type { Inputs } from '../../../conformance/resources/inputs.ts';
import type { Behaviour } from '../../../proof/servers/behaviour.ts';
import { judgeServer } from '../../../proof/servers/judge.ts';
import { anError } from '../../../proof/defects/requests.ts';
import { adding } from '../../../proof/defects/responses.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';

async function recorded(behaviour: Behaviour, inputs: Partial<Inputs> = {}, only: readonly string[] = []) {
  let text = '';
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.type === 'recorded') text = event.text();
  };
  const { result } = await judgeServer({ behaviour, inputs }, { only, onEvent });
  return { result, text };
}

const asJson = (result: Result): unknown => JSON.parse(JSON.stringify(result));

describe('a recording', () => {
  it('holds no key, and is judged the same where responses do', async () => {
    const key = 'a-key-that-is-"quoted"-0123456789';
    const behaviour = adding(anError, () => ({ id: `${key}/${randomUUID()}` }));
    const seed = { ...defaultSeed, keys: { ...defaultSeed.keys, admin: key } };
    const { result, text } = await recorded({ ...behaviour, seed }, { adminKey: key });
    expect(result.checks.find(({ id }) => id === 'error-id-distinct')?.outcome).toBe('passed');
    expect(text).not.toContain('0123456789');
    expect(asJson(judgeAgain('recording.json', text))).toEqual(asJson(result));
  });

  it('can be judged in part, and shows nothing of what was not sent', async () => {
    const { text } = await recorded({}, {}, ['auth-banners-no-header']);
    const whole = judgeAgain('recording.json', text);
    expect([whole.verdict, whole.checks.map(({ id }) => id)]).toEqual(['passed', ['auth-banners-no-header']]);
    const other = judgeAgain('recording.json', text, { only: ['update-name-stored'] });
    expect(other.checks.map(({ id, outcome }) => [id, outcome])).toEqual([['update-name-stored', 'inconclusive']]);
  });

  it('is refused in one line if it is damaged', async () => {
    const { text } = await recorded({}, {}, ['auth-banners-no-header']);
    const refusal = (given: string): string => {
      try {
        judgeAgain('r.json', given);
        return 'accepted';
      } catch (error) {
        return error instanceof UsageError ? error.message : String(error);
      }
    };
    expect(refusal(text)).toBe('accepted');
    expect(refusal(text.slice(0, -100))).toMatch(/^r\.json: it is not JSON: .*$/);
    expect(refusal('[]')).toMatch(/^r\.json: it is not a recording; .*$/);
    expect(refusal(text.replace('"recordingVersion": 1', '"recordingVersion": 2'))).toMatch(/recordingVersion 2/);
    expect(refusal(text.replace('"status": 200', '"status": 201'))).toMatch(/not as it was written/);
  });
});
