import { describe, expect, test } from 'vitest';
import { ShownRoles } from '../../conformance/users/roles.ts';

/** What is known after updates with these roles, each of which a later response shows like this. */
function knownFrom(pairs: readonly (readonly [sent: unknown, shown: unknown])[]): ShownRoles {
  const roles = new ShownRoles();
  for (const [sent, shown] of pairs) {
    roles.learn('1', { rootRole: 'of the response to the update' }, { rootRole: sent });
    roles.learn('1', { rootRole: shown }, {});
  }
  return roles;
}

describe('the value to send for a role that is shown is', () => {
  test.each<[string, readonly (readonly [unknown, unknown])[], unknown, unknown]>([
    ['the role', [[1, 1]], 4, 4],
    ['its id', [[1, { id: 1, name: 'Admin' }]], { id: 4, name: 'Viewer' }, 4],
    [
      'another member, if the id is that of a row',
      [
        [1, { id: 2, roleId: 1 }],
        [2, { id: 3, roleId: 2 }],
      ],
      { id: 5, roleId: 4 },
      4,
    ],
    ['a number that is shown as a text', [[1, '1']], '4', 4],
    ['a name', [['Admin', { name: 'Admin' }]], { name: 'Viewer' }, 'Viewer'],
    ['the one for which it was shown', [[2, { name: 'Editor' }]], { name: 'Editor' }, 2],
    ['unknown, if nothing shows it', [[2, { name: 'Editor' }]], { name: 'Viewer' }, undefined],
    [
      'the one that is shown as it was sent',
      [
        [2, 1],
        [2, 1],
        [1, 1],
      ],
      1,
      1,
    ],
    [
      'the one for which it was shown most often',
      [
        [2, 'x'],
        [1, 'x'],
        [1, 'x'],
      ],
      'x',
      1,
    ],
  ])('%s', (_what, pairs, shown, sent) => {
    expect(knownFrom(pairs).sentFor(shown)).toEqual(sent);
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
