import { isRecord } from '../../conformance/exchange.ts';
import type { ApiRequest, Rules } from '../../reference-server/rules.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Defect } from '../defect.ts';
import { isUpdate, refusedWith, sentMembers, type WhichRefusal } from './requests.ts';

type Text = 'name' | 'email';

const TEXTS: readonly Text[] = ['name', 'email'];

const TYPES = {
  number: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  array: (value: unknown) => Array.isArray(value),
  object: isRecord,
  null: (value: unknown) => value === null,
} as const;

type TypeName = keyof typeof TYPES;

const WHAT: Readonly<Record<TypeName, string>> = {
  number: 'A number',
  boolean: 'A boolean',
  array: 'An array',
  object: 'An object',
  null: 'A null',
};

/** What becomes of a value that is let through; undefined: it counts as not sent. */
type Treat = (value: unknown) => { readonly value: unknown } | undefined;

const asItIs: Treat = (value) => ({ value });
const asText: Treat = (value) => ({ value: String(value) });
const notSent: Treat = () => undefined;

/** Lets values of one member through that are to be refused. */
function lettingThrough(
  member: string,
  passes: (value: unknown, body: Record<string, unknown>) => boolean,
  treat: Treat,
): Behaviour {
  return {
    replace: (rules) => ({
      validateUpdate: (body) => {
        if (!isRecord(body) || !(member in body) || !passes(body[member], body)) return rules.validateUpdate(body);
        const { [member]: wrong, ...rest } = body;
        const treated = treat(wrong);
        return { ...rules.validateUpdate(rest), ...(treated ? { [member]: treated.value } : {}) };
      },
    }),
  };
}

/** Each wrong type of each text is let through in each way. */
const wrongTypes: Defect[] = TEXTS.flatMap((member) =>
  (Object.keys(TYPES) as TypeName[]).flatMap((type) => {
    const lawfulInAnswers = member === 'name' && type === 'null';
    const made = (fault: string, what: string, treat: Treat): Defect => ({
      id: `${member}-${type}-${fault}`,
      title: `${WHAT[type]} as \`${member}\` ${what}.`,
      breaks: [`request-body.${member}-type`],
      caughtBy: { [`body-${member}-${type}`]: 'accepted' },
      behaviour: lettingThrough(member, TYPES[type], treat),
    });
    const stored = made('stored', 'is stored as it is', asItIs);
    return [
      lawfulInAnswers
        ? stored
        : {
            ...stored,
            breaks: [...stored.breaks, `user.${member}`],
            caughtBy: { ...stored.caughtBy, [`user-${member}`]: 'wrong-type' },
          },
      made('turned-into-text', 'is turned into a text', asText),
      made('counts-as-not-sent', 'counts as not sent', notSent),
    ];
  }),
);

/** Single values that are let through, on both texts. */
const oddValues: Defect[] = TEXTS.flatMap((member) =>
  (
    [
      ['zero-counts-as-not-sent', 'The number 0 counts as not sent', ['number'], (value) => value === 0, notSent],
      [
        'false-counts-as-not-sent',
        'The value false counts as not sent',
        ['boolean'],
        (value) => value === false,
        notSent,
      ],
      [
        'falsy-not-validated',
        'Only what is truthy is validated, and the rest not stored',
        ['number', 'boolean', 'null'],
        (value) => !value && typeof value !== 'string',
        notSent,
      ],
      [
        'fraction-turned-into-text',
        'A number with a fraction is turned into a text',
        ['number'],
        (value) => typeof value === 'number' && !Number.isInteger(value),
        asText,
      ],
      ['true-turned-into-text', 'The value true is turned into a text', ['boolean'], (value) => value === true, asText],
      [
        'empty-array-counts-as-not-sent',
        'An empty array counts as not sent',
        ['array'],
        (value) => Array.isArray(value) && value.length === 0,
        notSent,
      ],
      [
        'array-of-one-unwrapped',
        'An array with one element is that element',
        ['array'],
        (value) => Array.isArray(value) && value.length === 1,
        (value) => ({ value: (value as unknown[])[0] }),
      ],
      [
        'empty-object-counts-as-not-sent',
        'An empty object counts as not sent',
        ['object'],
        (value) => isRecord(value) && Object.keys(value).length === 0,
        notSent,
      ],
      [
        'object-with-value-unwrapped',
        'An object with the member `value` is that value',
        ['object'],
        (value) => isRecord(value) && 'value' in value,
        (value) => ({ value: (value as { value: unknown }).value }),
      ],
      [
        'primitives-turned-into-text',
        'Every number and boolean is turned into a text',
        ['number', 'boolean'],
        (value) => ['number', 'boolean'].includes(typeof value),
        asText,
      ],
      [
        'null-turned-into-empty-text',
        'A null is turned into the empty text',
        ['null'],
        (value) => value === null,
        () => ({ value: '' }),
      ],
    ] as const satisfies readonly (readonly [string, string, readonly TypeName[], (value: unknown) => boolean, Treat])[]
  ).map(([fault, title, types, passes, treat]) => ({
    id: `${member}-${fault}`,
    title: `${title} as \`${member}\`.`,
    breaks: [`request-body.${member}-type`],
    caughtBy: Object.fromEntries(types.map((type) => [`body-${member}-${type}`, 'accepted'])),
    behaviour: lettingThrough(member, passes, treat),
  })),
);

/** Everything that does not conform, of the two texts. */
function wrongTexts(body: Record<string, unknown>): Text[] {
  return TEXTS.filter((member) => member in body && typeof body[member] !== 'string');
}

function without(body: Record<string, unknown>, members: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !members.includes(member)));
}

/** Drops the members that `skips` names before the body is validated. */
function skipping(skips: (body: Record<string, unknown>) => readonly string[]): Behaviour {
  return {
    replace: (rules) => ({
      validateUpdate: (body) => rules.validateUpdate(isRecord(body) ? without(body, skips(body)) : body),
    }),
  };
}

const NAME = 'request-body.name-type';
const EMAIL = 'request-body.email-type';

/** A valid member lets an invalid one beside it through. */
const besideValid: Defect[] = (
  [
    [
      'invalid-member-dropped-beside-valid',
      'A text of a wrong type is dropped where the other one is valid.',
      [NAME, EMAIL],
      (body) => (wrongTexts(body).length < TEXTS.filter((member) => member in body).length ? wrongTexts(body) : []),
    ],
    [
      'first-member-alone-validated',
      'The first member of the body is validated, and what follows taken only if it is a text.',
      [NAME, EMAIL],
      (body) => wrongTexts(body).filter((member) => member !== Object.keys(body)[0]),
    ],
    [
      'last-member-alone-validated',
      'The last member of the body is validated, and what stands before taken only if it is a text.',
      [NAME, EMAIL],
      (body) => wrongTexts(body).filter((member) => member !== Object.keys(body).at(-1)),
    ],
    [
      'email-not-validated-beside-name',
      'Where a name is sent, an e-mail address of a wrong type is dropped.',
      [EMAIL],
      (body) => (typeof body.name === 'string' ? wrongTexts(body) : []),
    ],
    [
      'name-not-validated-beside-email',
      'Where an e-mail address is sent, a name of a wrong type is dropped.',
      [NAME],
      (body) => (typeof body.email === 'string' ? wrongTexts(body) : []),
    ],
  ] as const satisfies readonly (readonly [
    string,
    string,
    readonly string[],
    (body: Record<string, unknown>) => readonly string[],
  ])[]
).map(([id, title, breaks, skips]) => ({
  id,
  title,
  breaks,
  caughtBy: { 'body-one-member-invalid': 'accepted' },
  behaviour: skipping(skips),
}));

/** Takes bodies that are no object for another body; undefined leaves them to the rule. */
function takingBodies(as: (value: unknown) => unknown): Behaviour {
  return {
    replace: (rules) => ({
      validateUpdate: (body) => rules.validateUpdate(isRecord(body) ? body : (as(body) ?? body)),
    }),
  };
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

const noObject: Defect[] = (
  [
    [
      'array-body-taken-as-empty',
      'An array as body is an object without known members.',
      ['array'],
      (body) => (Array.isArray(body) ? {} : undefined),
    ],
    [
      'array-body-taken-as-first-element',
      'Of an array as body the first element is taken.',
      ['array'],
      (body) => (Array.isArray(body) ? (body as unknown[])[0] : undefined),
    ],
    [
      'empty-array-body-taken-as-empty',
      'An empty array as body is an empty object.',
      ['array'],
      (body) => (Array.isArray(body) && body.length === 0 ? {} : undefined),
    ],
    [
      'string-body-taken-as-empty',
      'A text as body has no members, so nothing is updated.',
      ['string'],
      (body) => (typeof body === 'string' ? {} : undefined),
    ],
    [
      'empty-string-body-taken-as-empty',
      'An empty text as body is an empty object.',
      ['string'],
      (body) => (body === '' ? {} : undefined),
    ],
    [
      'string-body-taken-as-name',
      'A text as body is the name.',
      ['string'],
      (body) => (typeof body === 'string' ? { name: body } : undefined),
    ],
    ['string-body-parsed-again', 'A text as body is parsed once more.', ['string'], (body) => parsed(body)],
    [
      'number-body-taken-as-empty',
      'A number as body has no members, so nothing is updated.',
      ['number'],
      (body) => (typeof body === 'number' ? {} : undefined),
    ],
    [
      'zero-body-taken-as-empty',
      'The number 0 as body is no body, and so an empty object.',
      ['number'],
      (body) => (body === 0 ? {} : undefined),
    ],
    [
      'boolean-body-taken-as-empty',
      'A boolean as body has no members, so nothing is updated.',
      ['boolean'],
      (body) => (typeof body === 'boolean' ? {} : undefined),
    ],
    [
      'false-body-taken-as-empty',
      'The value false as body is no body, and so an empty object.',
      ['boolean'],
      (body) => (body === false ? {} : undefined),
    ],
    [
      'null-body-taken-as-empty',
      'A null as body is an empty object.',
      ['null'],
      (body) => (body === null ? {} : undefined),
    ],
    [
      'falsy-body-taken-as-empty',
      'What is falsy as body is an empty object.',
      ['string', 'number', 'boolean', 'null'],
      (body) => (body ? undefined : {}),
    ],
    [
      'body-without-members-taken-as-empty',
      'What is no object as body is an empty object.',
      ['array', 'string', 'number', 'boolean', 'null'],
      () => ({}),
    ],
  ] as const satisfies readonly (readonly [string, string, readonly string[], (body: unknown) => unknown])[]
).map(([id, title, types, as]) => ({
  id,
  title,
  breaks: ['request-body.object'],
  caughtBy: Object.fromEntries(types.map((type) => [`body-is-${type}`, 'accepted'])),
  behaviour: takingBodies(as),
}));

/** Reads a body that is not JSON, where it can; undefined leaves it to the rule. */
function readingBodies(read: (text: string) => unknown): Behaviour {
  return {
    replace: (rules: Rules) => ({
      parseBody: (body) => {
        const text = body.toString('utf8');
        return isMalformed(text) ? (read(text) ?? rules.parseBody(body)) : rules.parseBody(body);
      },
    }),
  };
}

function isMalformed(text: string): boolean {
  return parsed(text) === undefined;
}

const malformed: Defect[] = (
  [
    [
      'malformed-body-taken-as-empty',
      'A body that is not JSON is an empty object.',
      (text) => (text === '' ? undefined : {}),
    ],
    ['broken-off-body-completed', 'A body that breaks off is completed.', (text) => parsed(`${text}}`)],
    [
      'members-searched-in-body',
      'The name is searched for in the body, which need not be JSON.',
      (text) => parsed(/\{"name":"[^"]*"/.exec(text)?.[0].concat('}')),
    ],
    [
      'form-taken-as-body',
      'A form is taken as well as JSON.',
      (text) => (/^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined),
    ],
    [
      'plain-text-taken-as-name',
      'A plain text as body is the name.',
      (text) => (/^\w+ /.test(text) ? { name: text } : undefined),
    ],
    [
      'missing-value-taken-as-not-sent',
      'A member without a value counts as not sent.',
      (text) => parsed(text.replace(/,"\w+":\}.*/, '}')),
    ],
  ] as const satisfies readonly (readonly [string, string, (text: string) => unknown])[]
).map(([id, title, read]) => ({
  id,
  title,
  breaks: ['request-body.well-formed'],
  caughtBy: { 'body-malformed': 'accepted' },
  behaviour: readingBodies(read),
}));

const lenient: Defect[] = (
  [
    [
      'text-behind-body-ignored',
      'The body is read to the end of the first value.',
      (text) => parsed(text.slice(0, text.indexOf('}') + 1)),
    ],
    [
      'last-of-several-values-taken',
      'Of several JSON values in the body the last is taken.',
      (text) => (text.includes('}{') ? parsed(text.slice(text.indexOf('}{') + 1)) : undefined),
    ],
    ['single-quotes-taken', 'Texts in single quotes are read.', (text) => parsed(text.replaceAll("'", '"'))],
    [
      'comma-behind-last-member-taken',
      'A comma behind the last member is passed over.',
      (text) => parsed(text.replace(/,\}$/, '}')),
    ],
  ] as const satisfies readonly (readonly [string, string, (text: string) => unknown])[]
).map(([id, title, read]) => ({
  id,
  title,
  breaks: ['request-body.strict-json'],
  caughtBy: { 'body-lenient-json': 'accepted' },
  behaviour: readingBodies(read),
}));

const roles: Defect[] = (
  [
    [
      'boolean-role-counts-as-not-sent',
      'A boolean as root role counts as not sent.',
      ['boolean'],
      TYPES.boolean,
      notSent,
    ],
    [
      'boolean-role-turned-into-number',
      'A boolean as root role is turned into a number.',
      ['boolean'],
      TYPES.boolean,
      (value) => ({ value: Number(value) }),
    ],
    [
      'false-role-counts-as-not-sent',
      'The value false as root role counts as not sent.',
      ['boolean'],
      (value) => value === false,
      notSent,
    ],
    ['array-role-counts-as-not-sent', 'An array as root role counts as not sent.', ['array'], TYPES.array, notSent],
    [
      'array-role-taken-as-object',
      'An array as root role is an object with its elements.',
      ['array'],
      TYPES.array,
      (value) => ({ value: Object.fromEntries(Object.entries(value as unknown[])) }),
    ],
    [
      'empty-array-role-counts-as-not-sent',
      'An empty array as root role counts as not sent.',
      ['array'],
      (value) => Array.isArray(value) && value.length === 0,
      notSent,
    ],
    ['null-role-counts-as-not-sent', 'A null as root role counts as not sent.', ['null'], TYPES.null, notSent],
    [
      'null-role-is-default-role',
      'A null as root role gives the default role.',
      ['null'],
      TYPES.null,
      () => ({ value: 1 }),
    ],
    [
      'null-role-dropped-beside-name',
      'A null as root role counts as not sent where a name is sent.',
      ['null'],
      (value, body) => value === null && 'name' in body,
      notSent,
    ],
    [
      'array-role-dropped-beside-email',
      'An array as root role counts as not sent where an e-mail address is sent.',
      ['array'],
      (value, body) => Array.isArray(value) && 'email' in body,
      notSent,
    ],
    [
      'role-of-wrong-type-counts-as-not-sent',
      'A root role that is neither an integer nor an object counts as not sent.',
      ['boolean', 'array', 'null'],
      (value) => !isRecord(value) && !Number.isInteger(value),
      notSent,
    ],
  ] as const satisfies readonly (readonly [
    string,
    string,
    readonly string[],
    (value: unknown, body: Record<string, unknown>) => boolean,
    Treat,
  ])[]
).map(([id, title, types, passes, treat]) => ({
  id,
  title,
  breaks: ['request-body.root-role-type'],
  caughtBy: Object.fromEntries(types.map((type) => [`body-role-${type}`, 'accepted'])),
  behaviour: lettingThrough('rootRole', passes, treat),
}));

const storedRoles: Defect[] = (['boolean', 'array', 'null'] as const).map((type) => ({
  id: `${type}-role-stored`,
  title: `${WHAT[type]} as root role is stored as it is.`,
  breaks: ['request-body.root-role-type', 'user.root-role'],
  caughtBy: { [`body-role-${type}`]: 'accepted', 'user-root-role': 'wrong-type' },
  behaviour: lettingThrough('rootRole', TYPES[type], asItIs),
}));

/** Updates that are refused with 400, for what their body is. */
function invalid(which: (request: ApiRequest) => boolean): WhichRefusal {
  return ({ request, status }) => status === 400 && isUpdate(request) && which(request);
}

function sends(member: string, type: TypeName): WhichRefusal {
  return invalid((request) => {
    const members = sentMembers(request);
    return member in members && TYPES[type](members[member]);
  });
}

function isBody(test: (body: unknown) => boolean): WhichRefusal {
  return invalid(({ body }) => {
    const text = body.toString('utf8');
    return !isMalformed(text) && test(JSON.parse(text));
  });
}

const absent = invalid(({ body }) => body.length === 0);
const unreadable = invalid(({ body }) => body.length > 0 && isMalformed(body.toString('utf8')));

const otherStatuses: Defect[] = (
  [
    [
      'name-number-is-422',
      'A number as name is answered 422.',
      'name-type',
      'body-name-number',
      sends('name', 'number'),
      422,
    ],
    [
      'name-boolean-is-422',
      'A boolean as name is answered 422.',
      'name-type',
      'body-name-boolean',
      sends('name', 'boolean'),
      422,
    ],
    [
      'name-array-crashes',
      'A name is trimmed, which fails on an array.',
      'name-type',
      'body-name-array',
      sends('name', 'array'),
      500,
    ],
    [
      'name-object-crashes',
      'A name goes to the database as it is, which fails on an object.',
      'name-type',
      'body-name-object',
      sends('name', 'object'),
      500,
    ],
    [
      'name-null-crashes',
      'A name is trimmed, which fails on null.',
      'name-type',
      'body-name-null',
      sends('name', 'null'),
      500,
    ],
    [
      'email-number-crashes',
      'An e-mail address is put into lower case, which fails on a number.',
      'email-type',
      'body-email-number',
      sends('email', 'number'),
      500,
    ],
    [
      'email-boolean-is-404',
      'No user is found by a boolean as e-mail address.',
      'email-type',
      'body-email-boolean',
      sends('email', 'boolean'),
      404,
    ],
    [
      'email-array-is-409',
      'Several e-mail addresses are a conflict.',
      'email-type',
      'body-email-array',
      sends('email', 'array'),
      409,
    ],
    [
      'email-object-is-422',
      'An object as e-mail address is answered 422.',
      'email-type',
      'body-email-object',
      sends('email', 'object'),
      422,
    ],
    [
      'email-null-is-403',
      'Nobody may take the e-mail address away.',
      'email-type',
      'body-email-null',
      sends('email', 'null'),
      403,
    ],
    ['array-body-is-422', 'An array as body is answered 422.', 'object', 'body-is-array', isBody(TYPES.array), 422],
    [
      'string-body-is-415',
      'A text as body is of no supported type.',
      'object',
      'body-is-string',
      isBody((body) => typeof body === 'string'),
      415,
    ],
    [
      'number-body-crashes',
      'The members of a number as body are counted, which fails.',
      'object',
      'body-is-number',
      isBody(TYPES.number),
      500,
    ],
    [
      'boolean-body-is-422',
      'A boolean as body is answered 422.',
      'object',
      'body-is-boolean',
      isBody(TYPES.boolean),
      422,
    ],
    [
      'null-body-crashes',
      'A member of the body is read, which fails on null.',
      'object',
      'body-is-null',
      isBody(TYPES.null),
      500,
    ],
    [
      'absent-body-crashes',
      'A member of the body is read, which fails where there is none.',
      'required',
      'body-absent',
      absent,
      500,
    ],
    ['absent-body-is-411', 'An update without a body is asked for its length.', 'required', 'body-absent', absent, 411],
    ['absent-body-is-415', 'An update without a body is of no supported type.', 'required', 'body-absent', absent, 415],
    ['absent-body-is-422', 'An update without a body is answered 422.', 'required', 'body-absent', absent, 422],
    [
      'malformed-body-crashes',
      'The error of the JSON reader is caught nowhere.',
      'well-formed',
      'body-malformed',
      unreadable,
      500,
    ],
    [
      'malformed-body-is-422',
      'A body that is not JSON is answered 422.',
      'well-formed',
      'body-malformed',
      unreadable,
      422,
    ],
    [
      'malformed-body-is-415',
      'A body that is not JSON is of no supported type.',
      'well-formed',
      'body-malformed',
      unreadable,
      415,
    ],
    [
      'null-role-crashes',
      'The id of the root role is read, which fails on null.',
      'root-role-type',
      'body-role-null',
      sends('rootRole', 'null'),
      500,
    ],
    [
      'array-role-is-422',
      'An array as root role is answered 422.',
      'root-role-type',
      'body-role-array',
      sends('rootRole', 'array'),
      422,
    ],
    [
      'boolean-role-is-404',
      'There is no role of a boolean as id, which is answered 404.',
      'root-role-type',
      'body-role-boolean',
      sends('rootRole', 'boolean'),
      404,
    ],
  ] as const
).map(([id, title, breaks, check, which, status]) => ({
  id,
  title,
  breaks: [`request-body.${breaks}`],
  caughtBy: { [check]: 'wrong-status' },
  behaviour: refusedWith(which, status),
}));

const otherNames: Defect[] = (
  [
    [
      'malformed-body-named-syntaxerror',
      'SyntaxError',
      'to a body that is not JSON',
      'well-formed',
      'body-malformed',
      unreadable,
    ],
    ['absent-body-named-badrequest', 'BadRequest', 'to an absent body', 'required', 'body-absent', absent],
    ['array-body-named-typeerror', 'TypeError', 'to an array as body', 'object', 'body-is-array', isBody(TYPES.array)],
    [
      'name-number-named-baddataerror',
      'BadDataError',
      'to a number as name',
      'name-type',
      'body-name-number',
      sends('name', 'number'),
    ],
    [
      'email-null-named-notfounderror',
      'NotFoundError',
      'to a null as e-mail address',
      'email-type',
      'body-email-null',
      sends('email', 'null'),
    ],
  ] as const
).map(([id, name, where, breaks, check, which]) => ({
  id,
  title: `The 400 ${where} has the error name ${name}.`,
  breaks: [`request-body.${breaks}`, 'errors.name'],
  caughtBy: { [check]: 'wrong-error-name', 'error-name-400': 'wrong-error-name' },
  behaviour: refusedWith(which, 400, name),
}));

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyDefects: readonly Defect[] = [
  ...wrongTypes,
  ...oddValues,
  ...besideValid,
  ...noObject,
  ...malformed,
  ...lenient,
  ...roles,
  ...storedRoles,
  ...otherStatuses,
  ...otherNames,
  {
    id: 'body-not-validated',
    title: 'No member of the body is validated.',
    breaks: [NAME, EMAIL],
    caughtBy: Object.fromEntries(
      TEXTS.flatMap((member) => Object.keys(TYPES).map((type) => [`body-${member}-${type}`, 'accepted'])),
    ),
    behaviour: {
      replace: (rules) => ({
        validateUpdate: (body) => (isRecord(body) ? body : rules.validateUpdate(body)),
      }),
    },
  },
  {
    id: 'one-valid-member-suffices',
    title: 'A body is valid if one of its members is.',
    breaks: [NAME, EMAIL],
    caughtBy: { 'body-one-member-invalid': 'accepted' },
    behaviour: {
      replace: (rules) => ({
        validateUpdate: (body) =>
          isRecord(body) && Object.values(body).some((value) => typeof value === 'string')
            ? body
            : rules.validateUpdate(body),
      }),
    },
  },
  {
    id: 'invalid-member-beside-valid-is-422',
    title: 'A body with a valid and an invalid member is answered 422.',
    breaks: [NAME, EMAIL],
    caughtBy: { 'body-one-member-invalid': 'wrong-status' },
    behaviour: refusedWith(
      invalid(
        (request) => wrongTexts(sentMembers(request)).length === 1 && Object.keys(sentMembers(request)).length > 1,
      ),
      422,
    ),
  },
  {
    id: 'absent-body-taken-as-empty',
    title: 'An update without a body is one with `{}`.',
    breaks: ['request-body.required'],
    caughtBy: { 'body-absent': 'accepted' },
    behaviour: readingBodies((text) => (text === '' ? {} : undefined)),
  },
  {
    id: 'unreadable-body-taken-as-empty',
    title: 'What is no JSON as body, or nothing, is an empty object.',
    breaks: ['request-body.required', 'request-body.well-formed'],
    caughtBy: { 'body-absent': 'accepted', 'body-malformed': 'accepted' },
    behaviour: readingBodies(() => ({})),
  },
];
