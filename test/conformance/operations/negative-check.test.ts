import { describe, expect, it } from 'vitest';
import { negativeCheck, type NegativeCheck } from '../../../conformance/operations/negative-check.ts';
import type { Check } from '../../../conformance/model/check.ts';
import { CONTROL as BANNERS } from '../../../conformance/operations/list-banners/requests.ts';
import { CONTROLS } from '../../../conformance/operations/update-user/scenarios.ts';
import { isProbe } from '../../../conformance/model/recording/items.ts';

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

  it('says what each request is due: a refusal that counts only beside its controls', () => {
    const dueOf = (changes: Partial<NegativeCheck>) =>
      make(changes).uses.find((each) => isProbe(each) && each.build === wrong);
    const due = { class: 'refuse', statuses: [400], requirements: ['request.body'], level: 'must' };
    const control = { operation: 'updateUser', members: ['name'] };
    expect(dueOf({})).toMatchObject({ due: { ...due, checks: [GIVEN.id], controls: [control] } });
    expect(dueOf({ blame: ['request-body.object'], level: 'should' })).toMatchObject({
      due: { ...due, requirements: ['request-body.object'], level: 'should' },
    });
  });

  it('explains each way to fail', () =>
    expect(Object.keys(make().failureModes)).toEqual(['accepted', 'wrong-status', 'no-response']));
});
