import { CLIENT_ERRORS } from '../../../http/due.ts';
import { type Exchange, sentIn } from '../../../http/exchange.ts';
import type { Check } from '../../../model/check.ts';
import type { Combination, Scenario, StepInputs } from '../../../model/recording/items.ts';
import type { FreshValues } from '../../../resources/requests.ts';
import { UNKNOWN_MEMBER } from '../../../resources/user/members.ts';
import { eitherUpdate } from '../due.ts';
import {
  followed,
  type Judging,
  lawfulCheck,
  inSequence,
  tour,
  type Unusual,
  UNUSUAL,
  unusual,
  unusualCheck,
  unusualValue,
  unusualWay,
  type Way,
} from './unusual.ts';

const json = JSON.stringify;

/** How deep a member is nested: more than most data, and less than the limit of most parsers. */
const DEEP = 60;

type Value = (fresh: FreshValues, given: StepInputs) => string;

const LONG = 'long';
/** How a server refuses it: it may bound bodies, too. */
const TOO_LONG = [400, 413];

/** Names that a server may refuse, but must not damage when it accepts them. */
const NAMES: readonly (readonly [id: string, title: string, ...values: Value[]])[] = [
  ['letters', 'with letters of many scripts', ({ name }) => `${name()} Łódź Ærø Iğdır Ωmega Ждан 東京 서울 ｻﾞ ٣ Λόγος`],
  ['emoji', 'with emoji', ({ name }) => `${name()} 😀 👩🏽‍🚀 🏳️‍🌈 𝒳`],
  ['combining-marks', 'with combining marks', ({ name }) => `${name()} Zoe\u0308 A\u030a s\u0323\u0307`],
  ['right-to-left', 'with right-to-left letters', ({ name }) => `${name()} שלום مرحبا`],
  ['typography', 'with typographic signs', ({ name }) => `${name()} “x” ‘y’ «z» – — … € ™ №`],
  ['markup', 'with markup characters', ({ name }) => `${name()} <b>&amp; &#65; &lt; "x" 'y' </b>`],
  [
    'escapes',
    'with characters that templates, shells and databases interpret',
    ({ name }) => `${name()}: O'Hara \\n %41 {{x}} \${y} $1 $$ $& ; -- # @x_y`,
    ({ name }) =>
      `=${name()} '||'x ../..%2fa #{y} <%= 1 %> %s%n + a|b, \`c\` C:\\d http://e.test/?f=g (x) [y] *z* ~ ^ ! ...:`,
  ],
  ['nul', 'with a NUL character', ({ name }) => `${name()}\u0000x`],
  ['line-breaks', 'with line breaks and other control characters', ({ name }) => `${name()} a\tb\r\nc\u001b[1md\u007f`],
  [
    'invisible',
    'with invisible characters',
    ({ name }) => `${name()} a\u200bb\u00adc\u2028d\u202ee\u202cf\ufeffg\u00a0h\ufe0f\ufffe`,
  ],
  [
    'compatible',
    'with Unicode compatibility characters',
    ({ name }) => `${name()} \ufb01 \u2460 \uff37 \u017f \u0130 \u00b2 \u1112`,
  ],
  ['like-number', 'that looks like a number', () => '0012.50', () => '12345678909876543211', () => '0', () => '0x1F'],
  ['like-boolean', 'that looks like a boolean or another constant', () => 'true', () => 'null', () => 'no'],
  ['like-date', 'that looks like a date', () => '2026-01-02', () => '2026-01-02T03:04:05Z'],
  ['like-json', 'that looks like JSON', () => '{"name":["x"]}', () => '"x"'],
  [
    'like-member',
    "that looks like the user's username, or like an e-mail address",
    ({ name }, { now: { username } }) => (typeof username === 'string' && username !== '' ? username : name()),
    ({ email }, { stored }) => (typeof stored.email === 'string' ? stored.email : email()),
  ],
  ['blank', 'of blanks', () => '   '],
  // Longer than columns that cut what they store silently.
  [LONG, 'of 4,100 characters', ({ name }) => name().padEnd(4_099, ' conformance').padEnd(4_100, '.')],
];

/** A check of one scenario, which is named after it. */
function bodyCheck(requirement: string, title: string, each: Unusual): Check {
  return unusualCheck(each.scenario.id.replace(UNUSUAL, 'update-'), requirement, title, [each]);
}

/** What is kept of these names must not be escaped once more by an update without a name. */
const ESCAPED = ['markup', 'escapes'];

const nameCases: ReadonlyMap<string, readonly Unusual[]> = new Map(
  NAMES.map(([id, title, ...values]) => [
    id,
    values
      .map((value, index) =>
        unusualValue(
          `name-${id}-${index + 1}`,
          'name',
          `a name ${title}`,
          value,
          [[`update-name-${id}`], ['update.values-faithful']],
          id === LONG ? TOO_LONG : undefined,
        ),
      )
      .map((each) => (ESCAPED.includes(id) ? followed(each) : each)),
  ]),
);

const names = NAMES.map(([id, title]) =>
  unusualCheck(
    `update-name-${id}`,
    'update.values-faithful',
    `A name ${title} is stored as sent, or refused with ${(id === LONG ? TOO_LONG : [400]).join(' or ')}`,
    nameCases.get(id) ?? [],
  ),
);

/** A text in JSON with every kind of escape. */
const ESCAPES = '\\u00E9\\u00df\\ud83d\\uDE00 \\/ \\"\\\\';

/** With text after it, which a server may lose. */
const HALF_A_PAIR = '\\ud83d end';

const OF_UNUSUAL_MEMBERS = (id: string): Judging => [[`update-${id}`], ['update.unusual-members']];
const OF_FAITHFUL_JSON = (id: string): Judging => [[`update-${id}`], ['update.json-faithful']];

/** Members that every object of some languages has, or whose names mean something to some layer. */
const OF_EVERY_OBJECT = (json: (value: unknown) => string, { name, email }: FreshValues): string =>
  [
    `"__proto__":${json({ email: email(), name: name() })}`,
    `"constructor":${json({ prototype: { name: name() } })}`,
    '"hasOwnProperty":1,"toString":null,"":1,"a\\u0000":1,"$set":{"email":"x"}',
  ].join();

const proto = unusual(
  'member-proto',
  'An update with a name and the members __proto__, constructor, hasOwnProperty and toString',
  [({ fresh }) => `{"name":${json(fresh.name())},${OF_EVERY_OBJECT(json, fresh)}}`],
  OF_UNUSUAL_MEMBERS('member-proto'),
);

const nested = unusualWay('member-nested', {
  what: 'an unknown member with nested arrays and a large number',
  members: ({ fresh: { name } }) => ({
    name: json(name()),
    [UNKNOWN_MEMBER]: `{"large":9007199254740993,"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  }),
  judging: OF_UNUSUAL_MEMBERS('member-nested'),
});

/** The role that is stored already, if it is a number. */
const roleAsFraction = unusualWay(
  'role-as-fraction',
  {
    what: 'its role with a fraction of zero',
    members: ({ stored: { rootRole } }) => (Number.isInteger(rootRole) ? { rootRole: `${String(rootRole)}.0` } : {}),
    judging: OF_FAITHFUL_JSON('role-as-fraction'),
  },
  { needs: ['roleIds'] },
);

const capitals = unusualWay('member-in-capitals', {
  what: 'an e-mail address and the members NAME and Name',
  members: ({ fresh: { name, email } }) => ({ email: json(email()), NAME: json(name()), Name: json(name()) }),
  judging: OF_UNUSUAL_MEMBERS('member-in-capitals'),
});

const escapes = unusual(
  'escapes-read',
  'An update with escapes in the member name and in the name',
  [({ fresh: { name } }) => `{"n\\u0061me":"${name()} ${ESCAPES}"}`],
  OF_FAITHFUL_JSON('escapes-read'),
);

const OF_EMAIL = (id: string): Judging => [[`update-${id}`], ['update.email-faithful']];

const oddAddress = unusualValue(
  'email-unusual',
  'email',
  'an address with a plus sign, dots and other signs',
  ({ email }) => email().replace('@', ".a.b+TagI_o'hara%41/x=y&z@"),
  OF_EMAIL('email-unusual'),
);

const longAddress = unusualValue(
  'email-long',
  'email',
  'an address of a domain with 30 labels',
  ({ email }) => email().replace('@', `@${'sub.'.repeat(28)}`),
  OF_EMAIL('email-long'),
);

/** An e-mail address with its letters in the other case. */
function inOtherCase(address: string): string {
  const [local = '', domain = ''] = address.split('@');
  const swapped = local.replaceAll(/[a-z]+|[A-Z]+/g, (letters) =>
    letters === letters.toLowerCase() ? letters.toUpperCase() : letters.toLowerCase(),
  );
  return `${swapped}@${domain}`;
}

const otherCase = unusualValue(
  'email-other-case',
  'email',
  'the stored address in the other letter case',
  ({ email }, { stored }) => inOtherCase(typeof stored.email === 'string' ? stored.email : email()),
  OF_EMAIL('email-other-case'),
);

const loneSurrogate = unusual(
  'name-lone-surrogate',
  'An update with half of a surrogate pair in the name',
  [({ fresh: { name } }) => `{"name":"${name()} ${HALF_A_PAIR}"}`],
  OF_FAITHFUL_JSON('name-lone-surrogate'),
);

/** Each character of the strings as an escape, and every kind of white space that JSON allows between the tokens. */
function spelledOut(body: string): string {
  const escaped = body.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => {
    const units = Array.from({ length: (JSON.parse(text) as string).length }, (_each, index) =>
      (JSON.parse(text) as string).charCodeAt(index).toString(16).padStart(4, '0'),
    );
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
  });
  return `\r\n ${escaped.replaceAll(/[{}:,[\]]/g, '\t$&\n ')}\r\n`;
}

/** Sends no member that an update knows. */
const unknownAlone: Check = {
  ...unusualCheck(
    'update-member-unknown',
    'update.unusual-members',
    'A body with an unknown member alone changes nothing, or is refused with 400',
    [],
  ),
  uses: [
    {
      id: 'update-member-unknown',
      operation: 'updateUser',
      needs: ['adminKey', 'userId'],
      phase: 'control',
      due: eitherUpdate(['update-member-unknown'], ['update.unusual-members'], {}),
      build: (requests) =>
        requests.build('updateUser', {
          subject: 'user',
          purpose: 'An update with an unknown member alone',
          body: json({ [UNKNOWN_MEMBER]: true }),
          meantBody: 'unspecified',
        }),
    },
  ],
  needs: ['adminKey', 'userId'],
};

/** What clients may not send in the query, where some frameworks look for the members of a body, too. */
const inQuery = unusualWay('member-in-query', {
  what: 'a name and an e-mail address in its query as well',
  members: ({ fresh: { name } }) => ({ name: json(name()) }),
  query: ({ fresh: { name, email } }) => new URLSearchParams({ name: name(), email: email() }).toString(),
  // A server may know no path with parameters that the contract does not list.
  refusals: CLIENT_ERRORS,
  judging: OF_UNUSUAL_MEMBERS('member-in-query'),
});

/** The address that another user has: whether each has its own is left to the target. */
const ofOtherUser = unusualWay(
  'email-of-other-user',
  {
    what: 'the e-mail address of the other user',
    members: ({ fresh: { email }, storedOfOther }) => ({ email: json(storedOfOther.email ?? email()) }),
    refusals: CLIENT_ERRORS,
    judging: OF_EMAIL('email-of-other-user'),
  },
  { needs: ['otherUserId'] },
);

/** An update that is written in another way than most, and must be accepted. */
function lawful(id: string, what: string, [check, requirement]: readonly [string, string], way: Partial<Way>): Unusual {
  const members: Way['members'] = ({ fresh: { name, email } }) => ({ name: json(name()), email: json(email()) });
  return unusualWay(id, { what, members, judging: [[check], [requirement]], ...way }, { lawful: true });
}

const MEDIA_TYPE = ['update-media-type-forms', 'request-body.media-type-forms'] as const;
const ACCEPT = ['update-accept-forms', 'update.accept-forms'] as const;
const SPELLING = ['update-json-spelling', 'request-body.spelling'] as const;

const mediaType = lawful('media-type-forms', 'a quoted charset and capitals in its Content-Type', MEDIA_TYPE, {
  headers: { 'Content-Type': 'Application/JSON; Charset="utf-8"' },
});
const charset = lawful('media-type-charset', 'a charset in its Content-Type', MEDIA_TYPE, {
  headers: { 'Content-Type': 'application/json;charset=UTF-8' },
});
const accept = lawful('accept-forms', 'several media types in Accept', ACCEPT, {
  headers: { Accept: 'text/html;q=0.5, application/json, */*;q=0.1' },
});
const spelling = lawful('json-spelling', 'white space and escapes throughout its body', SPELLING, {
  spelled: spelledOut,
});

/** One name that is unusual in several ways; each way is applied to what the ones before it made. */
function combinedName(id: string, ...ways: string[]): Unusual {
  const chosen = NAMES.filter(([way]) => ways.includes(way));
  const value: Value = (fresh, given) =>
    chosen
      .flatMap(([, , ...values]) => values)
      .reduce((text, next) => next({ ...fresh, name: () => text }, given), fresh.name());
  const what = `a name ${chosen.map(([, title]) => title).join(', ')}`;
  return {
    ...unusualValue(id, 'name', what, value, [ways.map((way) => `update-name-${way}`), ['update.values-faithful']]),
    standsFor: ways.flatMap((way) => nameCases.get(way) ?? []).map(({ scenario }) => scenario),
  };
}

const escapesAndMembers: Unusual = {
  ...unusual(
    'escapes-and-members',
    'An update with escapes, half of a surrogate pair and members such as __proto__',
    [({ fresh }) => `{"n\\u0061me":"${fresh.name()} ${ESCAPES} ${HALF_A_PAIR}",${OF_EVERY_OBJECT(json, fresh)}}`],
    [
      ['escapes-read', 'name-lone-surrogate', 'member-proto'].map((each) => `update-${each}`),
      ['update.json-faithful', 'update.unusual-members'],
    ],
  ),
  standsFor: [escapes, loneSurrogate, proto].map(({ scenario }) => scenario),
};

const emptyCases = (['name', 'email'] as const).map((member) =>
  unusualValue(`${member}-empty`, member, 'an empty text', () => '', [
    [`update-${member}-empty`],
    ['update.empty-text'],
  ]),
);

const empties = emptyCases.map((each, index) =>
  bodyCheck(
    'update.empty-text',
    `An empty \`${['name', 'email'][index] ?? ''}\` is stored as sent, or refused with 400`,
    each,
  ),
);

/** The texts after `"name":`, in their order. */
function namesIn(sent: string): unknown[] {
  return [...sent.matchAll(/"name":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) => JSON.parse(text) as unknown);
}

const twice = unusual(
  'member-twice',
  'An update with name twice',
  [
    ({ fresh: { name } }) => `{"name":${json(name())},"name":${json(name())}}`,
    ({ fresh: { name } }) => `{"name":5,"name":${json(name())}}`,
  ],
  OF_UNUSUAL_MEMBERS('member-twice'),
  { stores: (sent) => ({ name: namesIn(sent) }) },
);

const afterMark = unusual(
  'after-byte-order-mark',
  'An update after a byte order mark',
  [({ fresh: { name } }) => `\ufeff{"name":${json(name())}}`],
  OF_FAITHFUL_JSON('after-byte-order-mark'),
  { stores: (sent) => ({ name: namesIn(sent) }) },
);

/** What each body shows of members that are sent in an unusual way. */
const OF_MEMBERS: readonly (readonly [title: string, Unusual])[] = [
  ['A body with `name` twice stores one of the two, or is refused with 400', twice],
  ['A member named `__proto__`, or as every object has it, has no effect, or is refused with 400', proto],
  ['An unknown member with nested arrays and a large number has no effect, or is refused with 400', nested],
  ['A member `NAME` or `Name` is not `name`: it has no effect, or is refused with 400', capitals],
  ['Members in the query have no effect, or are refused with a 4xx status', inQuery],
];

/** What each body shows of how the JSON around a text is read. */
const OF_JSON: readonly (readonly [title: string, Unusual])[] = [
  ['A name and its member name are read as JSON, whichever characters are escaped', escapes],
  ['A name with half of a surrogate pair is stored but for that half, or refused with 400', loneSurrogate],
  ['A role that is written with a fraction of zero is the same role, or refused with 400', roleAsFraction],
];

const REFUSED_OFTEN = inSequence('refused-often', afterMark, ofOtherUser);

const bodies = [
  unusualCheck(
    'update-after-byte-order-mark',
    'update.json-faithful',
    'A body after a byte order mark is read as it is without one, or refused with 400',
    [{ ...afterMark, scenario: REFUSED_OFTEN }],
  ),
  unusualCheck(
    'update-email-of-other-user',
    'update.email-faithful',
    'The e-mail address of another user is stored as sent, or refused with a 4xx status',
    [{ ...ofOtherUser, scenario: REFUSED_OFTEN }],
    ['otherUserId'],
  ),
  unknownAlone,
  ...OF_MEMBERS.map(([title, each]) => bodyCheck('update.unusual-members', title, each)),
  ...OF_JSON.map(([title, each]) => bodyCheck('update.json-faithful', title, each)),
];

/** Each differs from the one before only in what a careless comparison takes for equal. */
const NEARLY_SAME: readonly ((previous: string) => string)[] = [
  (text) => `${text} Stra\u00dfe \ufb01n\u00e9`,
  (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
  (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  (text) => text.normalize('NFKC'),
  (text) => Array.from(text).reverse().join(''),
  (text) => text.slice(0, -1),
  () => '1e3',
  () => '01000',
];

function nameIn(previous: Exchange | undefined): string | undefined {
  const name = previous && sentIn(previous, 'name');
  return typeof name === 'string' ? name : undefined;
}

const nearlySame = unusual(
  'name-nearly-same',
  'An update with nearly the same name as before',
  NEARLY_SAME.map((change, index) => ({ fresh, previous }) => {
    const before = index === 0 ? undefined : nameIn(previous);
    return json({ name: change(before ?? fresh.name()) });
  }),
  [['update-name-nearly-same'], ['update.values-faithful']],
);

const nearlySameCheck = bodyCheck(
  'update.values-faithful',
  'A name that differs from the stored one only in case, accents, ligatures, order, its end or spelling of a number is stored',
  nearlySame,
);

/** What each body shows of an e-mail address. */
const OF_ADDRESSES: readonly (readonly [title: string, Unusual])[] = [
  [
    'An e-mail address with capitals, dots, a plus sign and other unusual characters is stored as sent, or refused with 400',
    oddAddress,
  ],
  ['An e-mail address of more than 100 characters is stored as sent, or refused with 400', longAddress],
  ['An e-mail address in another letter case than before is accepted, or refused with 400', otherCase],
];

const addresses = OF_ADDRESSES.map(([title, each]) => bodyCheck('update.email-faithful', title, each));

/** What each way to write an update shows. */
const lawfulChecks = [
  lawfulCheck(
    ...MEDIA_TYPE,
    'An update is accepted with a charset in its Content-Type, and with the media type in any letter case',
    [charset, mediaType],
  ),
  lawfulCheck(
    ...ACCEPT,
    'An update is accepted if its Accept header lists other media types beside `application/json`',
    [accept],
  ),
  lawfulCheck(
    ...SPELLING,
    'An update is accepted with white space between the tokens of its body, and with escapes for all characters',
    [spelling],
  ),
];

const ofName = (id: string, index = 0): Unusual => {
  const found = nameCases.get(id)?.[index];
  if (!found) throw new Error(`There is no name ${id}.`);
  return found;
};

/** What a server may refuse is apart from what it hardly does: each that is refused sends what it stands for by itself. */
export const COMBINED_BODIES: readonly Combination[] = [
  tour(
    'names-like-values',
    [charset, ofName('like-number', 0)],
    [accept, ofName('like-boolean', 0)],
    [spelling, ofName('like-date', 0)],
    [mediaType, ofName('like-boolean', 1)],
    [ofName('like-number', 2)],
    [inQuery, ofName('like-boolean', 2)],
    [ofName('like-date', 1)],
    [ofName('like-number', 1)],
    [ofName('like-number', 3)],
    [nearlySame],
  ),
  tour(
    'unusual-names',
    [
      combinedName(
        'name-of-many-scripts',
        'letters',
        'emoji',
        'combining-marks',
        'right-to-left',
        'compatible',
        'typography',
      ),
    ],
    [followed(combinedName('name-of-signs', ...ESCAPED))],
    [ofName('like-json', 0), otherCase],
    [ofName('like-json', 1), oddAddress],
    [ofName('like-member', 0), capitals],
    [ofName('like-member', 1), longAddress],
  ),
  ...[[roleAsFraction], []].map((role) =>
    tour(
      'unusual-texts',
      [combinedName('name-of-controls', 'nul', 'line-breaks', 'invisible')],
      [nested, ofName('long')],
      [twice],
      [...role, ofName('blank')],
      // Last: what it breaks may show only where the name is not sent again.
      [escapesAndMembers],
    ),
  ),
  // Last: what is empty may be left out from then on.
  tour('empty-texts', emptyCases),
];

/** The scenarios with an unusual name, which an observation looks at. */
export const UNUSUAL_NAMES: readonly Scenario[] = names.flatMap(({ uses }) => uses) as Scenario[];

/** The checks of unusual names. */
export const unusualNameChecks: readonly string[] = names.map(({ id }) => id);

/** Source: Endpoints, PUT user, request body and rule; Limits. */
export const unusualBodyChecks: readonly Check[] = [
  ...[nearlySameCheck, ...names, ...addresses, ...bodies, ...empties],
  ...lawfulChecks,
];
