import colors from 'picocolors';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { inputShape, variableOf } from '../conformance/inputs.ts';
import { HINT_IDS } from '../conformance/result/hints.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Command, programName, wrapped } from './command.ts';
import { environmentOf, exportLines } from './settings.ts';

/** Items below a heading, shown if there are any; lines to paste are not wrapped. */
type Part = readonly [heading: string, items: readonly string[], toPaste?: 'to paste'];

/** What has an id, in words, with what is to be said of it. */
interface Explanation {
  readonly kind: string;
  readonly text: string;
  readonly parts: readonly Part[];
}

const titled = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const worded = ({ id, text }: { readonly id: string; readonly text: string }): string => `${id}: ${text}`;
const textsOf = (ids: readonly string[]): string[] =>
  [...requirements, ...openPoints].filter(({ id }) => ids.includes(id)).map(worded);

const MOST_SERVERS = 8;

/** Some of the servers of the proof that are about a requirement or an open point. */
function serversAbout(id: string): Part[] {
  const breaking = defects.filter(({ breaks }) => breaks.includes(id)).map(titled);
  const conforming = variants.filter(({ about }) => about.includes(id)).map(titled);
  const some = (all: readonly string[]): string[] =>
    all.length > MOST_SERVERS ? [...all.slice(0, MOST_SERVERS), `and ${all.length - MOST_SERVERS} more`] : [...all];
  return [
    ['Defects that break it ("serve --defect ID" starts one)', some(breaking)],
    ['Conforming variants about it ("serve --variant ID" starts one)', some(conforming)],
  ];
}

/** Explains what has an id, by what it is. Several things may have the same. */
const EXPLAIN: readonly ((id: string, program: string) => readonly Explanation[])[] = [
  (id) =>
    requirements
      .filter((each) => each.id === id)
      .map(({ level, text, source, pointer }) => {
        const own = checks.filter(({ requirement }) => requirement === id).map(titled);
        const places = [`${source} (source)`, `${pointer} (openapi.yaml)`];
        return {
          kind: `a requirement, ${level}; a finding goes by its id`,
          text,
          parts: [['It stands in', places], ['It is judged by', own], ...serversAbout(id)],
        };
      }),
  (id) =>
    checks
      .filter((each) => each.id === id)
      .map(({ level, title, requirement, needs, after = [], fix }) => {
        const inputs = needs.map((name) => `${variableOf(name)}: ${inputShape[name].description ?? ''}`);
        return {
          kind: `a check, ${level}`,
          text: title,
          parts: [
            ['It judges', textsOf([requirement])],
            ['What to change in a server that fails it', fix === undefined ? [] : [fix]],
            ['It needs', inputs],
            ['It says nothing if one of these is broken', textsOf(after)],
            ...serversAbout(requirement),
          ],
        };
      }),
  (id) =>
    openPoints
      .filter((each) => each.id === id)
      .map(({ kind, text, ruling, source, observations }) => ({
        kind: `an open point, ${kind}; it is never judged`,
        text,
        parts: [
          ['What this contract decides', [ruling]],
          ['It stands in', [`${source} (source)`]],
          ['What the suite observes', observations.map(worded)],
          ...serversAbout(id),
        ],
      })),
  (id, program) =>
    [...defects, ...variants]
      .filter((each) => each.id === id)
      .map((each) => {
        const option = 'breaks' in each ? 'defect' : 'variant';
        const about: Part =
          'breaks' in each ? ['It breaks', textsOf(each.breaks)] : ['It is about', textsOf(each.about)];
        const lines = [`${program} serve --${option} ${id}`, `${program} run`];
        return {
          kind:
            option === 'defect'
              ? 'a server with a defect, which must fail'
              : 'a conforming server, which must not fail',
          text: each.title,
          parts: [
            about,
            ['What its operator declares', exportLines(environmentOf(each.inputs ?? {})), 'to paste'],
            ['Start it, and judge it with the settings that it prints', lines, 'to paste'],
          ],
        };
      }),
  (id) => {
    const text =
      'A guess at what is wrong with the address, the keys or the ids. It never changes the verdict; its text says what was seen, and what to try.';
    return HINT_IDS.includes(id) ? [{ kind: 'a hint', text, parts: [] }] : [];
  },
  (id) => {
    const [, expected, actual = ''] = /^status\.(\d{3})-is-(\d{3})$/.exec(id) ?? [];
    if (expected === undefined) return [];
    const text = `Every refusal for which the contract documents ${expected} gets ${actual}. Respond with ${expected} instead; the report names the checks.`;
    return [{ kind: 'a finding', text, parts: [] }];
  },
];

/** `explain`: whatever has an id in an output. */
export const command: Command = {
  usage: 'explain ID',
  about: `Explains a check, a finding, a requirement, an open point, a hint, or a server of
the proof (a defect or a variant): its text, its place in the source, how it is
judged, and what to change in a server. "list" shows ids.`,
  exitCodes: '0, 2 usage, such as an unknown id.',
  positionals: [1, 1, 'explain: give the id of a check, a finding or anything else; "list" shows ids.'],
  run: ({ positionals: [id = ''] }, { out, environment }) => {
    const explanations = EXPLAIN.flatMap((explain) => explain(id, programName(environment)));
    if (explanations.length === 0) {
      const known = [requirements, checks, openPoints, defects, variants].flatMap((all) => all.map((each) => each.id));
      const advice = hint(id, [...known, ...HINT_IDS]) || ' "list" shows ids.';
      throw new UsageError(`explain: nothing has the id ${id}.${advice}`);
    }
    const { bold } = colors.createColors(out.color);
    for (const { kind, text, parts } of explanations) {
      out.write(`${bold(id)}  ${kind}\n${wrapped(text, out.width, '  ')}\n`);
      for (const [heading, items, toPaste] of parts.filter(([, each]) => each.length > 0)) {
        const lines = items.map((item) => (toPaste ? `  ${item}` : wrapped(item, out.width, '    ', '  ')));
        out.write(`\n${heading}\n${lines.join('\n')}\n`);
      }
    }
    return 0;
  },
};
