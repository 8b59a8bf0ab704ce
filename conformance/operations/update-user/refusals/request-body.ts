import type { Check } from '../../../judging/check.ts';
import { negativeCheck, type NegativeCheck } from '../../../judging/negative-check.ts';
import type { RequestBuilder } from '../../../target/requests.ts';
import { update } from '../requests.ts';
import { CONTROLS } from '../scenarios.ts';

const INVALID = [{ status: 400 }];

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

function invalid(purpose: string, body: string | undefined) {
  return (requests: RequestBuilder) => update(requests, { subject: 'user', purpose, body, meantBody: 'invalid' });
}

const json = JSON.stringify;

type Texts = (name: string, email: string) => string;

function invalidWithFresh(purpose: string, body: Texts) {
  return (requests: RequestBuilder) =>
    update(requests, {
      subject: 'user',
      purpose,
      body: body(requests.fresh.name(), requests.fresh.email()),
      meantBody: 'invalid',
    });
}

const memberTypes = (['name', 'email'] as const).flatMap((member) =>
  WRONG_TYPES.map(({ id, what, values }) =>
    negativeCheck({
      id: `body-${member}-${id}`,
      area: 'request-body',
      requirements: [`request-body.${member}-type`],
      title: `An update with ${what} as \`${member}\` is refused with 400`,
      requests: values.map((value) => (requests) => {
        const wrong = value(requests.fresh[member]());
        const purpose = `An update with ${JSON.stringify(wrong)} as ${member}`;
        return update(requests, {
          subject: 'user',
          purpose,
          body: JSON.stringify({ [member]: wrong }),
          meantBody: 'invalid',
        });
      }),
      refusals: INVALID,
      controls: [CONTROLS[member]],
    }),
  ),
);

const roleTypes = WRONG_TYPES.filter(({ id }) => ['boolean', 'array', 'null'].includes(id)).map(
  ({ id, what, values }) =>
    negativeCheck({
      id: `body-role-${id}`,
      area: 'request-body',
      level: 'should',
      requirements: ['request-body.root-role-type'],
      title: `An update with ${what} as \`rootRole\` is refused with 400`,
      needs: ['roleIds'],
      requests: values.flatMap((value) => {
        const wrong = value('Conformance');
        const purpose = `An update with ${JSON.stringify(wrong)} as rootRole`;
        return [
          invalid(purpose, JSON.stringify({ rootRole: wrong })),
          invalidWithFresh(`${purpose} beside a name`, (name) => json({ name, rootRole: wrong })),
          invalidWithFresh(`${purpose} beside an email`, (_name, email) => json({ rootRole: wrong, email })),
        ];
      }),
      refusals: INVALID,
      controls: [CONTROLS.rootRole],
    }),
);

const bodyTypes = (
  [
    ['array', 'an array', [[], [{ name: 'Conformance' }]]],
    ['string', 'a string', ['Conformance', '', JSON.stringify({ name: 'Conformance' })]],
    ['number', 'a number', [5, 0]],
    ['boolean', 'a boolean', [true, false]],
    ['null', 'null', [null]],
  ] as const
).map(([id, what, values]) =>
  negativeCheck({
    id: `body-is-${id}`,
    area: 'request-body',
    requirements: ['request-body.object'],
    title: `An update whose whole body is ${what} is refused with 400`,
    requests: values.map((value: unknown) =>
      invalid(`An update with the body ${JSON.stringify(value)}`, JSON.stringify(value)),
    ),
    refusals: INVALID,
    controls: [CONTROLS.name],
  }),
);

function syntaxCheck(
  id: string,
  requirements: readonly string[],
  title: string,
  bodies: readonly (readonly [purpose: string, body: Texts])[],
  options: { level?: 'should'; controls?: NegativeCheck['controls'] } = {},
): Check {
  const { level, controls = [CONTROLS.name] } = options;
  return negativeCheck({
    id,
    area: 'request-body',
    ...(level ? { level } : {}),
    requirements,
    title,
    requests: bodies.map(([purpose, body]) => invalidWithFresh(purpose, body)),
    refusals: INVALID,
    controls,
  });
}

const syntax: Check[] = [
  negativeCheck({
    id: 'body-absent',
    area: 'request-body',
    requirements: ['request-body.required'],
    title: 'An update without a body is refused with 400',
    requests: [invalid('An update without a body', undefined)],
    refusals: INVALID,
    controls: [CONTROLS.name],
  }),
  syntaxCheck('body-malformed', ['request-body.well-formed'], 'An update whose body is not JSON is refused with 400', [
    ['An update with a body that breaks off', (name) => `{"name":${json(name)}`],
    ['An update with a member without a value', (name, email) => `{"name":${json(name)},"email":}${email}`],
    ['An update with plain text as body', (name) => `name is ${name}`],
    ['An update with a form as body', (name) => `name=${encodeURIComponent(name)}`],
  ]),
  syntaxCheck(
    'body-lenient-json',
    ['request-body.strict-json'],
    'An update whose body only a lenient reader takes for JSON is refused with 400',
    [
      ['An update with text behind the JSON value', (name) => `${json({ name })} and more`],
      ['An update with two JSON values', (name) => `${json({ name })}${json({ name })}`],
      ['An update with single quotes', (name) => `{'name':'${name}'}`],
      ['An update with a comma behind the last member', (name) => `{"name":${json(name)},}`],
      ['An update with a name of a member without quotes', (name) => `{name:${json(name)}}`],
      ['An update with a comment', (name) => `{/* as agreed */"name":${json(name)}}`],
    ],
    { level: 'should' },
  ),
  ...(['name', 'email'] as const).map((member) => {
    const right = member === 'name' ? 'email' : 'name';
    return negativeCheck({
      id: `body-${member}-invalid-beside-${right}`,
      area: 'request-body',
      requirements: [`request-body.${member}-type`],
      title: `An update with a valid \`${right}\` and a \`${member}\` of each wrong type is refused with 400`,
      requests: WRONG_TYPES.map(({ values: [value] }) => (requests) => {
        const wrong = value?.('Conformance');
        return update(requests, {
          subject: 'user',
          purpose: `An update with a valid ${right} and ${JSON.stringify(wrong)} as ${member}`,
          body: JSON.stringify({ [right]: requests.fresh[right](), [member]: wrong }),
          meantBody: 'invalid',
        });
      }),
      refusals: INVALID,
      controls: [CONTROLS.nameAndEmail],
    });
  }),
  negativeCheck({
    id: 'body-text-invalid-beside-role',
    area: 'request-body',
    requirements: ['request-body.name-type', 'request-body.email-type'],
    title: 'An update with a valid role and a `name` or `email` of a wrong type is refused with 400',
    needs: ['roleIds'],
    requests: (['name', 'email'] as const).map((member) => (requests) => {
      const rootRole = requests.otherRole();
      return update(requests, {
        subject: 'user',
        purpose: `An update with a valid role and a number as ${member}`,
        body: JSON.stringify({ rootRole, [member]: 5 }),
        meantBody: 'invalid',
      });
    }),
    refusals: INVALID,
    controls: [CONTROLS.rootRole],
  }),
  negativeCheck({
    id: 'body-other-user-invalid',
    area: 'request-body',
    requirements: ['request-body.name-type', 'request-body.email-type'],
    title: 'An update of another user with a `name` or `email` of a wrong type is refused with 400',
    needs: ['otherUserId'],
    requests: (['name', 'email'] as const).map(
      (member) => (requests) =>
        update(requests, {
          subject: 'other-user',
          purpose: `An update of the other user with a number as ${member}`,
          body: JSON.stringify({ [member]: 5 }),
          meantBody: 'invalid',
        }),
    ),
    refusals: INVALID,
    controls: [CONTROLS.name],
  }),
  syntaxCheck(
    'body-one-member-invalid',
    ['request-body.name-type', 'request-body.email-type'],
    'An update with a valid member beside an invalid one is refused with 400',
    [
      ['An update with a name and a number as email', (name) => json({ name, email: 5 })],
      ['An update with a number as email and a name', (name) => json({ email: 5, name })],
      ['An update with an email and a number as name', (_name, email) => json({ email, name: 5 })],
      ['An update with a number as name and an email', (_name, email) => json({ name: 5, email })],
    ],
    { controls: [CONTROLS.nameAndEmail] },
  ),
];

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyChecks: readonly Check[] = [...memberTypes, ...bodyTypes, ...syntax, ...roleTypes];
