import colors from 'picocolors';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { type OpenPoint, openPoints, type Requirement, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import type { Check } from '../conformance/engine/check.ts';
import { inputShape, variableOf } from '../conformance/inputs.ts';
import { HINT_IDS } from '../conformance/result/hints.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Command, programName, wrapped } from './command.ts';
import { layoutOf } from './reports.ts';
import { environmentOf, exportLines } from './settings.ts';

/** Items below a heading, shown if there are any; lines to paste are not wrapped. */
type Part = readonly [heading: string, items: readonly string[], toPaste?: 'to paste'];

/** What is explained, as text, with what is to be said of it. */
interface Explanation {
  readonly kind: string;
  readonly text: string;
  readonly notes?: readonly string[];
  readonly parts?: readonly Part[];
}

const titled = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const worded = ({ id, text }: { readonly id: string; readonly text: string }): string => `${id}: ${text}`;

const MOST_SERVERS = 8;

/** Some of the servers of the proof, and how many more there are. */
function servers(
  heading: string,
  option: string,
  about: readonly { readonly id: string; readonly title: string }[],
): Part {
  const more = about.length - MOST_SERVERS;
  const some = about.slice(0, MOST_SERVERS).map(titled);
  return [`${heading} ("serve --${option} ID" starts one)`, more > 0 ? [...some, `and ${more} more`] : some];
}

const defectsOf = (requirement: string): Part =>
  servers(
    'Defects that break it',
    'defect',
    defects.filter(({ breaks }) => breaks.includes(requirement)),
  );
const variantsAbout = (id: string): Part =>
  servers(
    'Conforming variants about it',
    'variant',
    variants.filter(({ about }) => about.includes(id)),
  );

function explainRequirement({ id, level, text, source, pointer }: Requirement): Explanation {
  const own = checks.filter(({ requirement }) => requirement === id);
  return {
    kind: `a requirement, ${level}; a finding goes by its id`,
    text,
    notes: [`Source: ${source}`, `In openapi.yaml: ${pointer}`],
    parts: [['Judged by', own.map(titled)], defectsOf(id), variantsAbout(id)],
  };
}

const textsOf = (ids: readonly string[]): string[] =>
  [...requirements, ...openPoints].filter(({ id }) => ids.includes(id)).map(worded);

function explainCheck({ level, title, requirement, needs, after = [], fix }: Check): Explanation {
  return {
    kind: `a check, ${level}`,
    text: title,
    parts: [
      ['It judges', textsOf([requirement])],
      ['What to change in a server that fails it', fix === undefined ? [] : [fix]],
      ['It needs', needs.map((name) => `${variableOf(name)}: ${inputShape[name].description ?? ''}`)],
      ['It is blocked if one of these is broken', textsOf(after)],
      defectsOf(requirement),
    ],
  };
}

function explainOpenPoint({ id, kind, text, ruling, source, observations }: OpenPoint): Explanation {
  const unseen = observations.length === 0 ? ['It cannot be observed from outside.'] : [];
  return {
    kind: `an open point, ${kind}`,
    text,
    notes: [`Ruling: ${ruling}`, `Source: ${source}`, ...unseen],
    parts: [['It is never judged. What the suite observes', observations.map(worded)], variantsAbout(id)],
  };
}

function explainServer(
  option: 'defect' | 'variant',
  { id, title, inputs = {} }: (typeof defects)[number] | (typeof variants)[number],
  part: Part,
  program: string,
): Explanation {
  const declared: Part = ['What its operator declares', exportLines(environmentOf(inputs)), 'to paste'];
  const lines = [`${program} serve --${option} ${id}`, `${program} run`];
  return {
    kind:
      option === 'defect' ? 'a defect: a server that must fail' : 'a variant: a conforming server that must not fail',
    text: title,
    parts: [part, declared, ['Start it, and judge it with the settings that it prints', lines, 'to paste']],
  };
}

/** Everything that has this id. */
function explanationsOf(id: string, program: string): Explanation[] {
  const called = <T extends { readonly id: string }>(all: readonly T[]): T[] => all.filter((each) => each.id === id);
  const [, expected, actual] = /^status\.(\d{3})-is-(\d{3})$/.exec(id) ?? [];
  return [
    ...called(requirements).map(explainRequirement),
    ...called(checks).map(explainCheck),
    ...called(openPoints).map(explainOpenPoint),
    ...called(defects).map((each) => explainServer('defect', each, ['It breaks', textsOf(each.breaks)], program)),
    ...called(variants).map((each) => explainServer('variant', each, ['It is about', textsOf(each.about)], program)),
    ...(HINT_IDS.includes(id)
      ? [
          {
            kind: 'a hint',
            text: 'A guess at what is wrong with the address, the keys or the ids. It never changes the verdict; its text in the report says what was seen, and what to try.',
          },
        ]
      : []),
    ...(expected === undefined
      ? []
      : [
          {
            kind: 'a finding',
            text: `Every refusal for which the contract documents ${expected} gets ${actual ?? ''} from the target. Its checks are named beside it.`,
          },
        ]),
  ];
}

/** `explain`: whatever has an id in an output. */
export const command: Command = {
  usage: 'explain ID',
  summary: 'explain a check, finding, requirement or any other id',
  about: `Explains a check, a finding, a requirement, an open point, a hint, or a server of
the proof (a defect or a variant): its text, its place in the source, how it is
judged, and what to change in a server. "list" shows ids.`,
  examples: ['explain update.unsent-fields-keep', 'explain open.empty-body'],
  exitCodes: '0, 2 usage, such as an unknown id.',
  positionals: [1, 1],
  missing: 'explain: give the id of a check, finding, requirement, open point, hint, defect or variant; see "list".',
  run: ({ positionals: [id = ''] }, io) => {
    const { out, environment } = io;
    const explanations = explanationsOf(id, programName(environment));
    if (explanations.length === 0) {
      const known = [requirements, checks, openPoints, defects, variants].flatMap((all) => all.map((each) => each.id));
      const advice = hint(id, [...known, ...HINT_IDS]) || ' "list" shows the ids.';
      throw new UsageError(`explain: nothing has the id ${id}.${advice}`);
    }
    const { color, width } = layoutOf(out, io);
    const { bold } = colors.createColors(color);
    const texts = explanations.map(({ kind, text, notes = [], parts = [] }) => {
      const shown = parts
        .filter(([, items]) => items.length > 0)
        .flatMap(([heading, items, toPaste]) => {
          return ['', heading, ...items.map((item) => (toPaste ? `  ${item}` : wrapped(item, width, '    ', '  ')))];
        });
      const head = [`${bold(id)}  ${kind}`, wrapped(text, width, '  ')];
      return [...head, ...notes.map((note) => wrapped(note, width, '  ')), ...shown].join('\n');
    });
    out.write(`${texts.join('\n\n')}\n`);
    return 0;
  },
};
