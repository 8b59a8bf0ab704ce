import { type Check, check } from '../engine/check.ts';
import type { Refusal } from '../engine/user-handle.ts';
import { isSuccess, type Response } from '../facts/exchange.ts';
import { UPDATABLE_MEMBERS, type Updatable, type User } from '../users/differences.ts';
import type { Attempt } from '../engine/attempt.ts';
import { claiming, PLAIN } from '../engine/claims.ts';
import { PLAIN_UPDATES_WORK, ANY_4XX, refusedUpdates, UNUSUAL } from './shared.ts';

/** Updates in a row; each member comes right after each other one, and the name after two different roles. */
const IN_A_ROW: readonly Updatable[] = ['email', 'rootRole', 'name', 'email', 'name', 'rootRole', 'email', 'name'];

/** Bodies that combine what is stored already with a new value, by what is stored. */
const PARTLY_STORED: readonly ((stored: User, attempt: Attempt) => User)[] = [
  ({ email }, { fresh }) => ({ email, name: fresh.name() }),
  ({ email }, { fresh }) => ({ name: fresh.name(), email }),
  ({ rootRole }, { fresh }) => ({ ...(rootRole !== undefined && { rootRole }), name: fresh.name() }),
];

const REPEATABLE = claiming('update.repeatable');

export const sequences: readonly Check[] = [
  check('update-in-a-row', {
    ...UNUSUAL,
    title: 'An update keeps what the updates right before it stored',
    requirement: 'update.earlier-updates-keep',
    run: async (attempt) => {
      await attempt.state();
      const latest: Record<string, unknown> = {};
      let [previous, response]: (Response | undefined)[] = [];
      const judge = (shown: User | undefined, last: Updatable): void => {
        const members = UPDATABLE_MEMBERS.filter((member) => member in latest && member !== last);
        const told = { change: 'reverted', user: attempt.user.id } as const;
        const before = previous ? [previous] : [];
        const of = response ? [response] : [];
        attempt.failIfDifferent({ expected: latest, shown, members }, told, { aspect: 'stored', of, before });
      };
      for (const member of IN_A_ROW.filter((each) => each !== 'rootRole' || attempt.inputs.roleIds)) {
        const body = attempt.user.storable(attempt.user.newValues([member]));
        if (Object.keys(body).length === 0) continue;
        previous = response;
        response = await attempt.user.send(body);
        if (!attempt.isAccepted(response)) {
          attempt.failStatus(response, [200], { requirement: PLAIN.accepted, aspect: 'accepted' });
          return;
        }
        Object.assign(latest, body);
        judge(attempt.worksAround('reading') ? undefined : attempt.user.shownIn(response), member);
      }
      judge((await attempt.state()).get(attempt.user.id), 'name');
    },
  }),

  check('update-again', {
    ...UNUSUAL,
    title: 'The same update sent again, whole or in part, gets 200 and changes nothing',
    requirement: 'update.repeatable',
    run: async (attempt) => {
      const all = attempt.user.newValues();
      const before = [await attempt.user.send(all)];
      const again = { claims: REPEATABLE, how: 'with what is stored already', before };
      await attempt.user.accepts(all, again);
      for (const [member, value] of Object.entries(all)) await attempt.user.accepts({ [member]: value }, again);
    },
  }),

  check('update-partly-again', {
    ...UNUSUAL,
    title: 'An update may combine stored values with new ones; earlier values are stored again or get a 4xx status',
    requirement: 'update.repeatable',
    run: async (attempt) => {
      const first = attempt.user.newValues();
      const before = [await attempt.user.send(first)];
      let stored: User = first;
      for (const change of PARTLY_STORED) {
        const body = change(stored, attempt);
        await attempt.user.accepts(body, { claims: { ...PLAIN, accepted: 'update.repeatable' }, before });
        stored = { ...stored, ...body };
      }
      await attempt.user.accepts({ name: stored.name, email: attempt.fresh.email() }, { claims: REPEATABLE });
      // A server may keep the addresses that a user had, and take none of them again.
      await attempt.user.storesOrRefuses({ name: first.name, email: first.email }, { refusedWith: ANY_4XX });
    },
  }),
];

/** Sequences during which nothing else may be sent. */
export const undisturbedSequences: readonly Check[] = [
  check('update-after-refusal', {
    title: 'Right after a refused request, an update gets 200 and is stored',
    requirement: 'update.success-is-200',
    requires: [
      ...PLAIN_UPDATES_WORK,
      'update.earlier-updates-keep',
      'update.refused-changes-nothing',
      'request-body.name-type',
      'request-body.email-type',
      'auth.key-valid',
      'auth.key-required',
      'permission.refused',
    ],
    run: async (attempt) => {
      const { user, fresh } = attempt;
      const invalid: Refusal = {
        request: user.update({ name: fresh.name(), email: 5 }),
        requirement: 'request-body.email-type',
        refusedWith: [400],
        how: 'with a number as `email`',
      };
      for (const [index, precededBy] of [invalid, ...refusedUpdates(attempt)].entries())
        await user.accepts(user.newValues([index % 2 === 0 ? 'email' : 'name']), { precededBy });
    },
  }),

  check('refused-after-update', {
    title: 'Right after an update, a request that must be refused is refused, and does not roll the update back',
    requirement: 'permission.refused',
    requires: [...PLAIN_UPDATES_WORK, 'request-body.name-type', 'auth.key-valid', 'auth.key-required'],
    run: async (attempt) => {
      const { user } = attempt;
      const refusals = refusedUpdates(attempt);
      const responses = await Promise.all(refusals.map(({ request }) => attempt.probe(request)));
      // What is accepted at any time is another check's, and must not stay.
      if (responses.some(isSuccess)) await user.send(user.newValues());
      const refused = refusals.filter((_each, index) => !responses.slice(index, index + 1).some(isSuccess));
      let last: User = {};
      // The invalid body comes last: a server has begun to carry it out when it refuses it.
      for (const { request, requirement, refusedWith, how } of refused.toReversed()) {
        const update = user.newValues(['email']);
        const updated = await user.send(update);
        last = attempt.isAccepted(updated) ? user.storable(update) : {};
        const response = await attempt.probe(request);
        if (isSuccess(response))
          attempt.failStatus(response, refusedWith, { requirement, how, when: 'after-update', before: [updated] });
      }
      if (attempt.problems.length === 0) await failIfRolledBack(attempt, last);
    },
  }),

  check('values-of-other-user', {
    title:
      'A user may get a name or address that the other user has or had, or a 4xx status; neither changes the other',
    requirement: 'update.email-faithful',
    requires: [...PLAIN_UPDATES_WORK, 'update.repeatable'],
    inputs: ['otherUserId'],
    run: async ({ user, other }) => {
      const [former, taken] = [other.newValues(['name', 'email']), other.newValues(['name', 'email'])];
      const before = [await other.send(former), await other.send(taken)];
      const shared = { refusedWith: ANY_4XX, before };
      const whose = (what: string): string => `with ${what} user ${other.id}`;
      await user.storesOrRefuses(former, { ...shared, how: whose('the name and address that belonged to') });
      await user.storesOrRefuses({ email: taken.email }, { ...shared, how: whose('the address of') });
      const inCapitals = String(taken.email).toUpperCase();
      await user.storesOrRefuses({ email: inCapitals }, { ...shared, how: `${whose('the address of')} in capitals` });
      const claims = claiming('update.values-faithful');
      await user.storesOrRefuses({ name: taken.name }, { ...shared, claims, how: whose('the name of') });
      await other.accepts(other.newValues(['name', 'email']));
    },
  }),
];

/** Reports an update that was accepted, and that a request which was refused right after it undid. */
async function failIfRolledBack(attempt: Attempt, expected: User): Promise<void> {
  const { user, exchanges } = attempt;
  const shown = (await attempt.state()).get(user.id);
  const of = exchanges.slice(-2).map(({ response }) => response);
  attempt.failIfDifferent(
    { expected, shown, members: Object.keys(expected) },
    { change: 'rolled-back', user: user.id, when: 'after-update' },
    { requirement: 'update.refused-changes-nothing', of: of.toReversed(), readingOf: user.id },
  );
}
