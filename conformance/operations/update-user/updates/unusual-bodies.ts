import { type Exchange, sentIn } from '../../../http/exchange.ts';
import type { Check } from '../../../judging/check.ts';
import type { Combination, Scenario } from '../../../judging/traffic.ts';
import type { FreshValues } from '../../../resources/requests.ts';
import { type Judging, type Unusual, UNUSUAL, unusual, unusualCheck, unusualValue } from './unusual.ts';

const json = JSON.stringify;

/** Names that a server may refuse, but must not damage when it accepts them. */
const NAMES: readonly (readonly [id: string, title: string, ...values: ((fresh: FreshValues) => string)[]])[] = [
  ['letters', 'with letters of many scripts', ({ name }) => `${name()} Łódź Ærø Ωmega Ждан 東京 서울`],
  ['emoji', 'with emoji', ({ name }) => `${name()} 😀 👩🏽‍🚀 🏳️‍🌈 𝒳`],
  ['combining-marks', 'with combining marks', ({ name }) => `${name()} Zoe\u0308 A\u030a s\u0323\u0307`],
  ['right-to-left', 'with right-to-left letters', ({ name }) => `${name()} שלום مرحبا`],
  ['markup', 'with markup characters', ({ name }) => `${name()} <b>&amp; "x" 'y' </b>`],
  [
    'escapes',
    'with characters that templates, shells and databases interpret',
    ({ name }) => `${name()} O'Hara \\n %41 {{x}} \${y} $1 ; --`,
    ({ name }) => `=${name()} '||'x ../..%2fa #{y} <%= 1 %> %s%n + a|b \`c\` C:\\d`,
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
    ({ name }) => `${name()} \ufb01 \u2460 \uff37 \u017f \u0130 \u00b2`,
  ],
  ['like-number', 'that looks like a number', () => '0012.50', () => '1e3'],
  ['like-boolean', 'that looks like a boolean or null', () => 'true', () => 'null'],
  ['like-date', 'that looks like a date', () => '2026-01-02', () => '2026-01-02T03:04:05Z'],
  ['long', 'of 300 characters', ({ name }) => name().padEnd(299, ' conformance').padEnd(300, '.')],
];

/** A check of one scenario, which is named after it. */
function bodyCheck(requirement: string, title: string, each: Unusual): Check {
  return unusualCheck(each.scenario.id.replace(UNUSUAL, 'update-'), requirement, title, [each]);
}

const nameCases: ReadonlyMap<string, readonly Unusual[]> = new Map(
  NAMES.map(([id, title, ...values]) => [
    id,
    values.map((value, index) =>
      unusualValue(`name-${id}-${index + 1}`, 'name', `a name ${title}`, value, [
        [`update-name-${id}`],
        ['update.values-faithful'],
      ]),
    ),
  ]),
);

const names = NAMES.map(([id, title]) =>
  unusualCheck(
    `update-name-${id}`,
    'update.values-faithful',
    `A name ${title} is stored as sent, or refused with 400`,
    nameCases.get(id) ?? [],
  ),
);

/** A text in JSON with every kind of escape. */
const ESCAPES = '\\u00E9\\u00df\\ud83d\\uDE00 \\/ \\"\\\\';

/** With text after it, which a server may lose. */
const HALF_A_PAIR = '\\ud83d end';

const OF_UNUSUAL_MEMBERS = (id: string): Judging => [[`update-${id}`], ['update.unusual-members']];
const OF_FAITHFUL_JSON = (id: string): Judging => [[`update-${id}`], ['update.json-faithful']];

const proto = unusual(
  'member-proto',
  'name',
  'An update with a name and the member __proto__',
  [({ fresh: { name, email } }) => `{"name":${json(name())},"__proto__":${json({ email: email(), name: name() })}}`],
  OF_UNUSUAL_MEMBERS('member-proto'),
);

const capitals = unusual(
  'member-in-capitals',
  'email',
  'An update with an e-mail address and the members NAME and Name',
  [({ fresh: { name, email } }) => json({ email: email(), NAME: name(), Name: name() })],
  OF_UNUSUAL_MEMBERS('member-in-capitals'),
);

const escapes = unusual(
  'escapes-read',
  'name',
  'An update with escapes in the member name and in the name',
  [({ fresh: { name } }) => `{"n\\u0061me":"${name()} ${ESCAPES}"}`],
  OF_FAITHFUL_JSON('escapes-read'),
);

const oddAddress = unusualValue(
  'email-unusual',
  'email',
  'an address with a plus sign, dots and other signs',
  ({ email }) => email().replace('@', ".a.b+Tag_o'hara%41/x=y@"),
  [['update-email-unusual'], ['update.email-faithful']],
);

const loneSurrogate = unusual(
  'name-lone-surrogate',
  'name',
  'An update with half of a surrogate pair in the name',
  [({ fresh: { name } }) => `{"name":"${name()} ${HALF_A_PAIR}"}`],
  OF_FAITHFUL_JSON('name-lone-surrogate'),
);

/** One body that is unusual in several ways. */
function combined(way: Unusual, cases: readonly Unusual[]): Combination {
  return { ...way.scenario, insteadOf: cases.map(({ scenario }) => scenario) };
}

/** One name that is unusual in several ways; each way is applied to what the ones before it made. */
function combinedName(id: string, ...ways: string[]): Combination {
  const chosen = NAMES.filter(([way]) => ways.includes(way));
  const value = (fresh: FreshValues): string =>
    chosen
      .flatMap(([, , ...values]) => values)
      .reduce((text, next) => next({ ...fresh, name: () => text }), fresh.name());
  const what = `a name ${chosen.map(([, title]) => title).join(', ')}`;
  return combined(
    unusualValue(id, 'name', what, value, [ways.map((way) => `update-name-${way}`), ['update.values-faithful']]),
    ways.flatMap((way) => nameCases.get(way) ?? []),
  );
}

/** Updates of two members in turn: the response to each shows what the one before it stored. */
function inTurn(...cases: readonly (Unusual | undefined)[]): Combination[] {
  const given = cases.filter((each) => each !== undefined);
  const [first, ...others] = given;
  if (!first || given.length < cases.length) return [];
  return [
    {
      id: [first.scenario.id, ...others.map(({ member }) => member)].join('-then-'),
      ...{ steps: given.flatMap(({ scenario }) => scenario.steps), phase: 'unusual', anyUser: true },
      insteadOf: given.map(({ scenario }) => scenario),
    },
  ];
}

/** None is longer than what most servers store. */
export const COMBINED_BODIES: readonly Combination[] = [
  combinedName('name-of-many-scripts', 'letters', 'emoji', 'combining-marks', 'right-to-left', 'compatible'),
  combinedName('name-of-signs', 'markup', 'escapes'),
  combinedName('name-of-controls', 'nul', 'line-breaks', 'invisible'),
  combined(
    unusual(
      'escapes-and-members',
      'name',
      'An update with escapes, half of a surrogate pair and the member __proto__',
      [
        ({ fresh: { name, email } }) =>
          `{"n\\u0061me":"${name()} ${ESCAPES} ${HALF_A_PAIR}","__proto__":${json({ email: email(), name: name() })}}`,
      ],
      [
        ['escapes-read', 'name-lone-surrogate', 'member-proto'].map((each) => `update-${each}`),
        ['update.json-faithful', 'update.unusual-members'],
      ],
    ),
    [escapes, loneSurrogate, proto],
  ),
  ...inTurn(
    nameCases.get('like-number')?.[0],
    oddAddress,
    nameCases.get('like-number')?.[1],
    capitals,
    nameCases.get('like-boolean')?.[0],
  ),
];

const empties = (['name', 'email'] as const).map((member) =>
  bodyCheck(
    'update.empty-text',
    `An empty \`${member}\` is stored as sent, or refused with 400`,
    unusualValue(`${member}-empty`, member, 'an empty text', () => '', [
      [`update-${member}-empty`],
      ['update.empty-text'],
    ]),
  ),
);

/** The texts after `"name":`, in their order. */
function namesIn(sent: string): unknown[] {
  return [...sent.matchAll(/"name":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) => JSON.parse(text) as unknown);
}

const twice = unusual(
  'member-twice',
  'name',
  'An update with name twice',
  [({ fresh: { name } }) => `{"name":${json(name())},"name":${json(name())}}`],
  OF_UNUSUAL_MEMBERS('member-twice'),
  namesIn,
);

const afterMark = unusual(
  'after-byte-order-mark',
  'name',
  'An update after a byte order mark',
  [({ fresh: { name } }) => `\ufeff{"name":${json(name())}}`],
  OF_FAITHFUL_JSON('after-byte-order-mark'),
  namesIn,
);

/** What each body shows of members that are sent in an unusual way. */
const OF_MEMBERS: readonly (readonly [title: string, Unusual])[] = [
  ['A body with `name` twice stores one of the two, or is refused with 400', twice],
  ['A member named `__proto__` has no effect, or is refused with 400', proto],
  ['A member `NAME` or `Name` is not `name`: it has no effect, or is refused with 400', capitals],
];

/** What each body shows of how the JSON around a text is read. */
const OF_JSON: readonly (readonly [title: string, Unusual])[] = [
  ['A name and its member name are read as JSON, whichever characters are escaped', escapes],
  ['A name with half of a surrogate pair is stored but for that half, or refused with 400', loneSurrogate],
  ['A body after a byte order mark is read as it is without one, or refused with 400', afterMark],
];

const bodies = [
  ...OF_MEMBERS.map(([title, each]) => bodyCheck('update.unusual-members', title, each)),
  ...OF_JSON.map(([title, each]) => bodyCheck('update.json-faithful', title, each)),
];

/** Each differs from the one before only in what a careless comparison takes for equal. */
const NEARLY_SAME: readonly ((previous: string) => string)[] = [
  (text) => `${text} Stra\u00dfe \ufb01n\u00e9`,
  (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
  (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  (text) => text.normalize('NFKC'),
  () => '1000',
  () => '1000.0',
  () => '01000',
];

function nameIn(previous: Exchange | undefined): string | undefined {
  const name = previous && sentIn(previous, 'name');
  return typeof name === 'string' ? name : undefined;
}

const nearlySame = bodyCheck(
  'update.values-faithful',
  'A name that differs from the stored one only in case, accents, ligatures or spelling of a number is stored',
  unusual(
    'name-nearly-same',
    'name',
    'An update with nearly the same name as before',
    NEARLY_SAME.map(
      (change) =>
        ({ fresh, previous }) =>
          json({ name: change(nameIn(previous) ?? fresh.name()) }),
    ),
    [['update-name-nearly-same'], ['update.values-faithful']],
  ),
);

const oddEmail = bodyCheck(
  'update.email-faithful',
  'An e-mail address with capitals, dots, a plus sign and other unusual characters is stored as sent, or refused with 400',
  oddAddress,
);

/** The scenarios with an unusual name, which an observation looks at. */
export const UNUSUAL_NAMES: readonly Scenario[] = names.flatMap(({ uses }) => uses) as Scenario[];

/** The checks of unusual names. */
export const unusualNameChecks: readonly string[] = names.map(({ id }) => id);

/** Source: Endpoints, PUT user, request body and rule; Limits. */
export const unusualBodyChecks: readonly Check[] = [nearlySame, ...names, oddEmail, ...bodies, ...empties];
