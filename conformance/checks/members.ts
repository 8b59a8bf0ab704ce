import { filled } from '../../common/text.ts';
import { type Check, check } from '../engine/check.ts';
import type { Attempt } from '../engine/attempt.ts';
import { PLAIN_UPDATES_WORK, UNUSUAL, ANY_4XX } from './shared.ts';

const json = JSON.stringify;

/** What must not be stored, as JSON: an address, and an object with a name and an address. */
function unstored({ fresh }: Attempt) {
  return { email: json(fresh.email()), others: json({ name: fresh.name(), email: fresh.email() }) };
}

const OWN_OBJECT =
  'Copy `name`, `email` and `rootRole` one by one from the body; do not merge it, spread it or walk through all that it has.';

/** Members that no update knows, as they stand in the body behind a valid one; in braces, what `unstored` makes. */
const UNKNOWN = [
  {
    id: 'members-of-every-object',
    what: 'that every object of some language has, such as `__proto__`,',
    members:
      '"__proto__":{others},"constructor":{"prototype":{others}},"__class__":"x","self":1,' +
      '"hasOwnProperty":1,"toString":null,"valueOf":0,"toJSON":1,"then":1,"length":9,"":1,"a\\u0000":1',
    fix: `${OWN_OBJECT} In JavaScript, ask with Object.hasOwn.`,
  },
  {
    id: 'members-of-libraries',
    what: 'by which libraries choose a type or refer to a part, such as `@type` and `$ref`,',
    members:
      '"@type":"java.util.HashMap","@class":"java.lang.Object","$type":"System.Object","class":"x","json_class":"x",' +
      '"$id":"1","$ref":"#","__typename":"User","_id":"1","type":"admin"',
    fix: 'Switch off what lets a body choose its type (polymorphic types, reference handling): the members of a body are data.',
  },
  {
    id: 'members-of-queries',
    what: 'that name other members by a path or an operator, such as `$set` and `user[email]`,',
    members: '"$set":{"email":"x"},"$unset":{"email":1},"user[email]":{email},"email[]":["x"],"email.x":"x"',
    fix: `${OWN_OBJECT} Never hand a body to a database as it is.`,
  },
  {
    id: 'members-with-user-inside',
    what: 'with `name` and `email` inside, such as `user` and `data`,',
    members: '"user":{others},"data":{"attributes":{others}},"params":[{others}],"conformanceProbe":{others}',
    fix: 'Read the members of the body itself. A search through all levels, or an envelope that is optional, finds the wrong ones.',
  },
  {
    id: 'members-nested',
    what: 'with nested arrays and large numbers',
    members: `"conformanceProbe":{"large":9007199254740993,"long":${'7'.repeat(40)},"deep":${'['.repeat(60)}${']'.repeat(60)}}`,
    fix: 'Skip members that you do not know, or refuse the body with 400. Neither their size nor their depth should matter.',
  },
  {
    id: 'members-in-capitals',
    what: 'whose names differ from those of the contract only in their letter case, such as `EMAIL`,',
    members: '"EMAIL":{email},"Email":{email}',
    fix: 'Match the names of members letter by letter: your parser or binder takes `EMAIL` for `email` (Go, .NET).',
  },
];

export const members: readonly Check[] = [
  ...UNKNOWN.map(({ id, what, members: unknown, fix }) =>
    check(id, {
      ...UNUSUAL,
      title: `Members ${what} change nothing, or are refused with 400`,
      requirement: 'update.unusual-members',
      fix,
      run: async (attempt) => {
        const name = attempt.fresh.name();
        const text = `{"name":${json(name)},${filled(unknown, unstored(attempt))}}`;
        await attempt.user.storesOrRefuses({ name }, { text });
      },
    }),
  ),

  check('member-unknown', {
    title: 'An unknown member alone changes nothing, or is refused with 400',
    requirement: 'update.unusual-members',
    requires: [...PLAIN_UPDATES_WORK, 'update.empty-body-changes-nothing', 'update.repeatable'],
    eitherUser: true,
    run: (attempt) => attempt.user.storesOrRefuses({}, { text: '{"conformanceProbe":true}' }),
  }),

  check('member-in-query', {
    ...UNUSUAL,
    title: 'Members in the query, and an `id` there, change nothing, or get a 4xx status',
    how: 'with `id`, `name` and `email` in the query',
    requirement: 'update.unusual-members',
    fix: 'Read the body alone. What joins path, query and body in one object (params, request.values, $_REQUEST) takes the query, too.',
    run: async (attempt) => {
      const { user, fresh, known, inputs } = attempt;
      const id = known.ids.find((each) => each !== user.id) ?? inputs.missingUserId ?? '0';
      const query = `?${new URLSearchParams({ id, name: fresh.name(), email: fresh.email() }).toString()}`;
      await user.storesOrRefuses({ name: fresh.name() }, { query, refusedWith: ANY_4XX });
    },
  }),

  check('member-twice', {
    ...UNUSUAL,
    title: 'Of a member that is sent twice, one valid value is stored, or the body is refused with 400',
    requirement: 'update.unusual-members',
    how: 'with `name` twice',
    fix: 'Let the last value of a repeated member win, as most parsers do, or refuse the body with 400.',
    run: async (attempt) => {
      for (const first of [attempt.fresh.name(), 5]) {
        const last = attempt.fresh.name();
        const text = `{"name":${json(first)},"name":${json(last)}}`;
        await attempt.user.storesOrRefuses(({ name }) => ({ name: name === first ? first : last }), { text });
      }
    },
  }),
];
