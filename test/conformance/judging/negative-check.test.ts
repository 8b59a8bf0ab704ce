import { describe, expect, it } from 'vitest';
import { negativeCheck, type NegativeCheck } from '../../../conformance/judging/negative-check.ts';
import type { Check } from '../../../conformance/judging/check.ts';
import { CONTROL as BANNERS } from '../../../conformance/operations/list-banners/requests.ts';
import { CONTROLS } from '../../../conformance/operations/update-user/scenarios.ts';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import { answered, bannersRequest, evidenceOf, updateRequest } from '../../support/exchanges.ts';

const wrong = (): undefined => undefined;
const other = (): undefined => undefined;

const GIVEN: NegativeCheck = {
  id: 'name-number-refused',
  area: 'request',
  requirements: ['request.body'],
  title: 'A number as name is refused',
  needs: ['adminKey', 'userId'],
  requests: [wrong],
  refusals: [400],
  controls: [CONTROLS.name],
};
const make = (changes: Partial<NegativeCheck> = {}): Check => negativeCheck({ ...GIVEN, ...changes });

describe('negativeCheck', () => {
  it('keeps what it is given; by default it is a must about the operation of its control', () => {
    const { id, area, requirements, title } = GIVEN;
    expect(make()).toMatchObject({ id, area, requirements, title, level: 'must', operations: ['updateUser'] });
    const ofBanners = make({ level: 'should', controls: [BANNERS] });
    expect(ofBanners).toMatchObject({ level: 'should', operations: ['listBanners'] });
  });

  it('sends its request under its own id, or several under numbered ones, and the traffic of its controls', () => {
    const controls = [CONTROLS.name, CONTROLS.nameAndEmail] as const;
    const check = make({
      needs: ['adminKey', 'userId', 'restrictedKey'],
      controls: [CONTROLS.name, CONTROLS.rootRole],
    });
    const one = { id: 'name-number-refused', build: wrong, operation: 'updateUser' };
    expect(make({ controls: [...controls] }).uses).toMatchObject([
      one,
      { id: 'update-name' },
      { id: 'update-name-email' },
    ]);
    expect(make({ controls: [BANNERS] }).uses).toMatchObject([{ operation: 'listBanners' }, { id: 'banners' }]);
    expect(make({ requests: [wrong, other] }).uses.slice(0, 2)).toMatchObject([
      { id: 'name-number-refused-1', build: wrong },
      { id: 'name-number-refused-2', build: other },
    ]);
    expect(check.needs.toSorted()).toEqual(['adminKey', 'restrictedKey', 'roleIds', 'userId']);
    expect(check.uses[0]?.needs).toEqual(check.needs);
  });

  const bad = updateRequest({ body: '{"name":5}', meant: { body: 'invalid', id: 'valid' } });
  const refused = answered(bad, 400, { id: '1', name: 'ValidationError', message: 'no' });
  const control = answered(updateRequest(), 200, { id: 4 });
  const outcome = (check: Check, own: Readonly<Record<string, Exchange[]>>, controls: readonly Exchange[]): string =>
    check.judge(evidenceOf(own, controls)).outcome;

  it('passes only where each request is refused as it says, and the control is accepted', () => {
    const check = make({ requests: [wrong, other] });
    const [one, two] = ['name-number-refused-1', 'name-number-refused-2'];
    const accepted = answered(bad, 200);
    expect(outcome(check, { [one]: [refused], [two]: [refused] }, [control])).toBe('passed');
    expect(outcome(check, { [one]: [refused], [two]: [accepted] }, [control])).toBe('failed');
    expect(outcome(check, { [one]: [accepted], [two]: [refused] }, [control])).toBe('failed');
    expect(outcome(check, { [one]: [refused], [two]: [refused] }, [])).toBe('inconclusive');
    expect(outcome(make({ refusals: [404] }), { 'name-number-refused': [refused] }, [control])).toBe('failed');
  });

  it('explains each way to fail', () => {
    for (const response of [answered(bad, 200), answered(bad, 500)]) {
      const check = make();
      const judgement = check.judge(evidenceOf({ 'name-number-refused': [response] }, [control]));
      expect(judgement.outcome === 'failed' && check.failureModes[judgement.failure.mode]).toMatch(/\w/);
    }
  });

  it('rests on an accepted list where it is about banners', () => {
    const check = make({ controls: [BANNERS], refusals: [401] });
    const own = {
      'name-number-refused': [answered(bannersRequest(), 401)],
    };
    expect(outcome(check, own, [answered(bannersRequest(), 200)])).toBe('passed');
    expect(outcome(check, own, [control])).toBe('inconclusive');
  });
});
