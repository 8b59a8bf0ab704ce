import { describe, expect, it } from 'vitest';
import type { Check } from '../../../conformance/model/check.ts';
import { type Change, type Deviation, makeNotes, NOBODY } from '../../../conformance/model/facts.ts';
import { type Judged, judgeFacts } from '../../../conformance/model/judge.ts';
import { checkOf } from '../../support/checks.ts';
import { deviation, put, viewOf } from '../../support/model.ts';

const seen = put({ name: 'Ada' });
const change = (own: Partial<Change>): { change: Change } => ({
  change: { between: [], suspects: [], classes: [], blamed: 'update', ...own },
});
const changed = (checks: readonly string[], own: Partial<Change> = {}, rest: Partial<Deviation> = {}): Deviation =>
  deviation('changed', seen, { checks, requirements: ['kept'], member: 'name', ...change(own), ...rest });

/** What some checks say of deviations; each is also seen to hold. */
function judgedOf(deviations: readonly Deviation[], checks: readonly Check[], disturbed?: string): Judged {
  const notes = makeNotes();
  notes.deviations.push(...deviations);
  notes.holds(['a', 'b', 'c'], seen);
  return judgeFacts({ ...notes, view: viewOf([seen], { disturbed }), showWritten: new Set(['updateUser']) }, checks);
}

describe('a change that one of several updates made', () => {
  it.each<[what: string, d: Deviation, said: readonly string[]]>([
    ['fails the check of the one that is blamed', changed(['a', 'c'], { possible: ['b'] }), ['a failed', 'b passed']],
    [
      'or if none of them is selected, of the others',
      changed(['d', 'c'], { possible: ['b'] }),
      ['a passed', 'b failed'],
    ],
    ['or none if those are not', changed(['c'], { possible: ['c'] }), ['a passed', 'b passed']],
    ['and none that it is not a change of', changed(['c']), ['a passed', 'b passed']],
  ])('%s', (_what, d, said) => {
    const checks = ['a', 'b'].map((id) => checkOf({ id, requirements: ['kept'] }));
    expect(judgedOf([d], checks).checks.map((each) => `${each.check.id} ${each.said.outcome}`)).toEqual(said);
  });

  it('leaves open what it may be of if its check is not selected', () => {
    const refusal = checkOf({ id: 'a', requirements: ['kept'], alongside: [] });
    const said = (d: Deviation, own: Partial<Check> = {}, ...others: readonly Deviation[]) =>
      judgedOf([d, ...others], [{ ...refusal, ...own }, checkOf({ id: 'b' })]).checks[0]?.said;
    expect(said(changed(['c', 'd'], { possible: ['e'] }))).toEqual({
      ...{ outcome: 'inconclusive', reason: 'precondition-failed', exchanges: [seen], causes: [] },
      detail: 'the update that changed something may be another one: c, d fails, and is not selected',
    });
    const outcomeOf = (...given: Parameters<typeof said>) => said(...given)?.outcome;
    expect(outcomeOf(changed(['b', 'c']))).toBe('passed');
    expect(outcomeOf(changed(['c'], {}, { requirements: ['other'] }))).toBe('passed');
    expect(outcomeOf(deviation('response', seen, { checks: ['c'], requirements: ['kept'] }))).toBe('passed');
    const some = { requirements: ['other', 'kept'] };
    expect(outcomeOf(changed(['c'], {}, some), { requirements: ['more', 'kept'] })).toBe('inconclusive');
    expect(outcomeOf(changed(['c']), {}, deviation('response', seen, { checks: ['a'] }))).toBe('failed');
    expect(outcomeOf(changed(['c']), { alongside: 'all' })).toBe('passed');
  });
});

describe('another client is seen to change the users', () => {
  const texts = (blamed: string, values: readonly string[], own: Partial<Deviation> = {}): Deviation[] =>
    values.map((actual) => changed([], { blamed, foreign: [actual] }, { actual, ...own }));
  const SAID = 'somebody else changed the users: ';
  it.each<[what: string, deviations: readonly Deviation[], disturbed: string | undefined]>([
    [
      'by three values of one member',
      texts('update', ['Bob', 'Bob', 'Cleo', 'Dan']),
      `${SAID}3 values that this run did not send, such as "Dan"`,
    ],
    [
      'by one value that nothing in the run can have set',
      [...texts(NOBODY, ['Bob']), ...texts('update', ['Cleo'])],
      `${SAID}a value that this run did not send, such as "Bob"`,
    ],
    ['not by two', texts('update', ['Bob', 'Bob', 'Cleo']), undefined],
    [
      'not by values of two members',
      [...texts('update', ['A', 'B']), ...texts('update', ['C', 'D'], { member: 'email' })],
      undefined,
    ],
    [
      'not by values of two users',
      [...texts('update', ['A', 'B']), ...texts('update', ['C', 'D'], { subject: 'otherUser' })],
      undefined,
    ],
    ['not by what is made of unusual ones', texts('unusual', ['Bob', 'Cleo', 'Dan']), undefined],
    ['not by what no client sends', [changed([], { blamed: NOBODY, foreign: [] }, { actual: 4 })], undefined],
  ])('%s', (_what, deviations, disturbed) => expect(judgedOf(deviations, []).disturbed).toBe(disturbed));

  it('or another run is, so that nothing fails that it may have done', () => {
    const failing = deviation('response', seen, { checks: ['a', 'b'] });
    const checks = [['listBanners', 'updateUser'] as const, ['listBanners'] as const].map((own, at) =>
      checkOf({ id: 'ab'.charAt(at), operations: own }),
    );
    const [ofUsers, ofBanners] = judgedOf([failing], checks, 'another run').checks;
    expect(ofUsers?.said).toMatchObject({ reason: 'disturbed', detail: 'another run', exchanges: [seen], causes: [] });
    expect(ofBanners?.said).toMatchObject({ outcome: 'failed' });
  });
});
