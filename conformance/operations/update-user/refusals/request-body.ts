import type { Check } from '../../../model/check.ts';
import { negativeCheck, type NegativeCheck } from '../../negative-check.ts';
import type { FreshValues, RequestBuilder, RequestOptions } from '../../../resources/requests.ts';
import { UNKNOWN_MEMBER } from '../../../resources/user/members.ts';
import { CONTROLS } from '../scenarios.ts';

/** An update with an invalid body, as text: "An update with" or "An update of" and so on, and what it sends. */
type Invalid = readonly [
  purpose: string,
  body: (fresh: FreshValues, requests: RequestBuilder) => string | undefined,
  charset?: 'latin1',
];

interface Options extends Partial<Omit<NegativeCheck, 'id' | 'area' | 'requirements' | 'title' | 'requests'>> {
  readonly subject?: RequestOptions['subject'];
}

/** @param what completes the title "An update … is refused with 400" */
function refused(
  id: string,
  requirements: readonly string[],
  what: string,
  bodies: readonly Invalid[],
  { subject = 'user', controls = [CONTROLS.name], ...options }: Options = {},
): Check {
  return negativeCheck({
    id,
    area: 'request-body',
    requirements,
    title: `An update ${what} is refused with 400`,
    requests: bodies.map(([purpose, body, charset]) => (requests) => {
      const text = body(requests.fresh, requests);
      const bytes = { body: text, ...(charset === undefined ? {} : { charset }) };
      return requests.build('updateUser', { subject, purpose: `An update ${purpose}`, ...bytes, meantBody: 'invalid' });
    }),
    refusals: [400],
    controls,
    ...options,
  });
}

const json = JSON.stringify;
const TEXTS = ['name', 'email'] as const;
const TEXT_TYPES = ['request-body.name-type', 'request-body.email-type'];

interface WrongType {
  readonly id: string;
  readonly what: string;
  /** More than one where a falsy or a convertible value is easily let through; `right` is a value of the right type. */
  readonly values: readonly ((right: string) => unknown)[];
}

const WRONG_TYPES: readonly WrongType[] = [
  { id: 'number', what: 'a number', values: [() => 5, () => 0, () => 1.5] },
  { id: 'boolean', what: 'a boolean', values: [() => true, () => false] },
  { id: 'array', what: 'an array', values: [() => [], (right) => [right]] },
  { id: 'object', what: 'an object', values: [() => ({}), (right) => ({ value: right })] },
  { id: 'null', what: 'null', values: [() => null] },
];

const memberTypes = TEXTS.flatMap((member) =>
  WRONG_TYPES.map(({ id, what, values }) =>
    refused(
      `body-${member}-${id}`,
      [`request-body.${member}-type`],
      `with ${what} as \`${member}\``,
      values.map((value) => [
        `with ${json(value('Conformance'))} as ${member}`,
        (fresh) => json({ [member]: value(fresh[member]()) }),
      ]),
      {
        controls: [CONTROLS[member]],
      },
    ),
  ),
);

const roleTypes = WRONG_TYPES.filter(({ id }) => ['boolean', 'array', 'null'].includes(id)).map(
  ({ id, what, values }) =>
    refused(
      `body-role-${id}`,
      ['request-body.root-role-type'],
      `with ${what} as \`rootRole\``,
      values.flatMap((value): Invalid[] => {
        const rootRole = value('Conformance');
        const purpose = `with ${json(rootRole)} as rootRole`;
        return [
          [purpose, () => json({ rootRole })],
          [`${purpose} and a name`, ({ name }) => json({ name: name(), rootRole })],
          [`${purpose} and an email`, ({ email }) => json({ rootRole, email: email() })],
        ];
      }),
      { level: 'should', needs: ['roleIds'], controls: [CONTROLS.rootRole] },
    ),
);

const WRONG_BODIES: readonly (readonly [id: string, what: string, values: readonly unknown[]])[] = [
  ['array', 'an array', [[], [{ name: 'Conformance' }]]],
  ['string', 'a string', ['Conformance', '', json({ name: 'Conformance' })]],
  ['number', 'a number', [5, 0]],
  ['boolean', 'a boolean', [true, false]],
  ['null', 'null', [null]],
];

const bodyTypes = WRONG_BODIES.map(([id, what, values]) =>
  refused(
    `body-is-${id}`,
    ['request-body.object'],
    `whose whole body is ${what}`,
    values.map((value) => [`with the body ${json(value)}`, () => json(value)]),
  ),
);

const besideValidMember = TEXTS.map((member) => {
  const right = member === 'name' ? 'email' : 'name';
  return refused(
    `body-${member}-invalid-beside-${right}`,
    [`request-body.${member}-type`],
    `with a valid \`${right}\` and each wrong type as \`${member}\``,
    WRONG_TYPES.map(({ values: [value] }) => {
      const wrong = value?.('Conformance');
      const body = (fresh: FreshValues) => json({ [right]: fresh[right](), [member]: wrong });
      return [`with a valid ${right} and ${json(wrong)} as ${member}`, body];
    }),
    {
      controls: [CONTROLS.nameAndEmail],
    },
  );
});

const syntax: Check[] = [
  refused('body-absent', ['request-body.required'], 'without a body', [['without a body', () => undefined]], {
    // Where what cannot be read counts as nothing, or what is no object, no body does too.
  }),
  refused('body-malformed', ['request-body.well-formed'], 'whose body is not JSON', [
    ['with a truncated body', ({ name }) => `{"name":${json(name())}`],
    ['with a member without a value', ({ name, email }) => `{"name":${json(name())},"email":}${email()}`],
    ['with plain text as body', ({ name }) => `name is ${name()}`],
    ['with a form as body', ({ name }) => `name=${encodeURIComponent(name())}`],
  ]),
  refused(
    'body-lenient-json',
    ['request-body.strict-json'],
    'whose body only a lenient parser accepts as JSON',
    [
      ['with text after the JSON value', ({ name }) => `${json({ name: name() })} and more`],
      ['with two JSON values', ({ name }) => json({ name: name() }).repeat(2)],
      ['with single quotes', ({ name }) => `{'name':'${name()}'}`],
      ['with a trailing comma', ({ name }) => `{"name":${json(name())},}`],
      ['with an unquoted member name', ({ name }) => `{name:${json(name())}}`],
      ['with a comment', ({ name }) => `{/* as agreed */"name":${json(name())}}`],
      // Then null for the same member: a server that stores members that it does not know must not show NaN from then on.
      ['with NaN', ({ name }) => `{"name":${json(name())},"${UNKNOWN_MEMBER}":NaN,"${UNKNOWN_MEMBER}":null}`],
      ['with a number with a leading zero', ({ name }) => `{"name":${json(name())},"${UNKNOWN_MEMBER}":01}`],
      ['with a line break inside a string', ({ name }) => `{"name":"${name()}\n"}`],
      ['with an escape that JSON does not have', ({ name }) => `{"name":"${name()} \\x41"}`],
    ],
    { level: 'should' },
  ),
  refused(
    'body-not-utf-8',
    ['request-body.utf-8'],
    'whose body is not UTF-8',
    [
      ['with a Latin-1 letter in its body', ({ name }) => `{"name":"${name()} caf\u00e9"}`, 'latin1'],
      ['with an overlong UTF-8 sequence in its body', ({ name }) => `{"name":"${name()} \u00c0\u00af"}`, 'latin1'],
      ['with the bytes of a surrogate in its body', ({ name }) => `{"name":"${name()} \u00ed\u00a0\u00bd"}`, 'latin1'],
    ],
    // A server may store the bytes, and then cannot show the user any more.
    { level: 'should', phase: 'damaging' },
  ),
  refused(
    'body-extreme',
    ['request-body.extreme-values'],
    'with a number beyond the usual limits as `name`, or with deeply nested arrays as body,',
    [
      ['with the number 1e400 as name', () => '{"name":1e400}'],
      ['with a number of 5,000 digits as name', () => `{"name":${'9'.repeat(5_000)}}`],
      // Not as a member: a server that stores what it refuses could not be read any more.
      ['with 2,000 nested arrays as body', () => `[0,${'['.repeat(2_000)}${']'.repeat(2_000)}]`],
    ],
    {
      level: 'should',
      refusals: [400, 413],
    },
  ),
  ...besideValidMember,
  refused(
    'body-text-invalid-beside-role',
    TEXT_TYPES,
    'with a valid role and a `name` or `email` of a wrong type',
    TEXTS.map((member) => [
      `with a valid role and a number as ${member}`,
      (_fresh, requests) => json({ rootRole: requests.otherRole(), [member]: 5 }),
    ]),
    { needs: ['roleIds'], controls: [CONTROLS.rootRole], blame: TEXT_TYPES },
  ),
  refused(
    'body-other-user-invalid',
    TEXT_TYPES,
    'of another user with a `name` or `email` of a wrong type',
    TEXTS.map((member) => [`of the other user with a number as ${member}`, () => json({ [member]: 5 })]),
    { subject: 'other-user', needs: ['otherUserId'], blame: TEXT_TYPES },
  ),
  refused(
    'body-one-member-invalid',
    TEXT_TYPES,
    'with one valid and one invalid member',
    [
      ['with a name and a number as email', ({ name }) => json({ name: name(), email: 5 })],
      ['with a number as email and a name', ({ name }) => json({ email: 5, name: name() })],
      ['with an email and a number as name', ({ email }) => json({ email: email(), name: 5 })],
      ['with a number as name and an email', ({ email }) => json({ name: 5, email: email() })],
    ],
    {
      controls: [CONTROLS.nameAndEmail],
      blame: ['email', 'email', 'name', 'name'].map((member) => `request-body.${member}-type`),
    },
  ),
];

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyChecks: readonly Check[] = [...memberTypes, ...bodyTypes, ...syntax, ...roleTypes];
