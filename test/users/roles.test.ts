import { describe, expect, test } from 'vitest';
import { ShownRoles } from '../../conformance/users/roles.ts';
import { casesBeside } from '../support/repository.ts';

type Pairs = readonly (readonly [sent: unknown, shown: unknown])[];
const cases = casesBeside(import.meta.url) as [what: string, pairs: Pairs, shown: unknown, sent: unknown][];

/** What is known after updates with these roles, each of which a later response shows like this. */
function knownFrom(pairs: Pairs): ShownRoles {
  const roles = new ShownRoles();
  for (const [sent, shown] of pairs) {
    roles.learn('1', { rootRole: 'of the response to the update' }, { rootRole: sent });
    roles.learn('1', { rootRole: shown }, {});
  }
  return roles;
}

describe('the value to send for a role that is shown is', () => {
  test.each(cases)('%s', (_what, pairs, shown, sent) => {
    expect(knownFrom(pairs).sentFor(shown)).toEqual(sent ?? undefined);
  });

  test('unknown, as long as only responses to updates with a role show one', () => {
    const roles = new ShownRoles();
    roles.learn('1', { rootRole: 2 }, { rootRole: 1 });
    expect([roles.areKnown, roles.sentFor(2)]).toEqual([false, undefined]);
  });
});

test('roles are the same by what is sent for them, not by the id of a row', () => {
  const roles = knownFrom([
    [1, { id: 9, roleId: 1 }],
    [2, { id: 9, roleId: 2 }],
  ]);
  expect(roles.areSame({ id: 9, roleId: 1 }, { id: 9, roleId: 2 })).toBe(false);
  expect(roles.areSame({ id: 9, roleId: 1 }, { id: 8, roleId: 1 })).toBe(true);
  expect(knownFrom([[2, { name: 'Editor' }]]).areSame({ name: 'Editor' }, { name: 'Viewer' })).toBeUndefined();
});
