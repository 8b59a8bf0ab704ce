import colors from 'picocolors';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { whereJudged } from '../conformance/checks/selection.ts';
import { inputShape, variableOf } from '../conformance/inputs.ts';
import { HINT_IDS } from '../conformance/result/hints.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Command, programName, wrapped } from './command.ts';

interface Explanation {
  readonly kind: string;
  readonly text: string;
  readonly parts?: readonly (readonly [heading: string, items: readonly string[]])[];
}

const titled = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const worded = ({ id, text }: { readonly id: string; readonly text: string }): string => `${id}: ${text}`;
const textsOf = (ids: readonly string[]): string[] =>
  [...requirements, ...openPoints].filter(({ id }) => ids.includes(id)).map(worded);

const MOST = 8;
const some = (all: readonly string[]): readonly string[] =>
  all.length > MOST ? [...all.slice(0, MOST), `and ${all.length - MOST} more`] : all;
const defectsOf = (id: string) => defects.filter(({ breaks }) => breaks.includes(id)).map(titled);
const variantsAbout = (id: string) => variants.filter(({ about }) => about.includes(id)).map(titled);

const DEFECTS = 'Defects that break it ("serve --defect ID" starts one)';
const VARIANTS = 'Conforming variants about it ("serve --variant ID" starts one)';
const HINT =
  'A guess at what is wrong with the address, the keys or the ids. It never changes the verdict; its text says what was seen, and what to try.';

function explanationsOf(id: string, program: string): Explanation[] {
  const called = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
    all.filter((each) => each.id === id);
  const inArea = checks.filter(({ area }) => area === id).map(titled);
  const [, expected = '', actual = ''] = /^status\.(\d{3})-is-(\d{3})$/.exec(id) ?? [];
  return [
    ...called(requirements).map(({ level, text, description, source, pointer }): Explanation => {
      const own = checks.filter(({ requirement }) => requirement === id).map(titled);
      return {
        kind: `a requirement, ${level}; a finding goes by its id`,
        text: [text, description ?? ''].join(' ').trim(),
        parts: [
          ['It stands in', [`${source} (source)`, `${pointer} (openapi.yaml)`]],
          ['It is judged', own.length === 0 ? [whereJudged(id)] : []],
          ['It is judged by', own],
          [DEFECTS, some(defectsOf(id))],
          [VARIANTS, some(variantsAbout(id))],
        ],
      };
    }),
    ...called(checks).map(({ level, title, requirement, needs, after = [], fix }): Explanation => ({
      kind: `a check, ${level}`,
      text: title,
      parts: [
        ['It judges', textsOf([requirement])],
        ['What to change in a server that fails it', fix === undefined ? [] : [fix]],
        ['It needs', needs.map((name) => `${variableOf(name)}: ${inputShape[name].description ?? ''}`)],
        ['It says nothing if one of these is broken', textsOf(after)],
        [DEFECTS, some(defectsOf(requirement))],
      ],
    })),
    ...called(openPoints).map(({ kind, text, ruling, source, observations }): Explanation => ({
      kind: `an open point, ${kind}; it is never judged`,
      text,
      parts: [
        ['What this contract decides', [ruling, `${source} (source)`]],
        ['What the suite observes', observations.map(worded)],
        [VARIANTS, some(variantsAbout(id))],
      ],
    })),
    ...[...called(defects), ...called(variants)].map((server): Explanation => {
      const isDefect = 'breaks' in server;
      const start = [`${program} serve --${isDefect ? 'defect' : 'variant'} ${id}`, `${program} run`];
      return {
        kind: isDefect ? 'a server with a defect, which must fail' : 'a conforming server, which must not fail',
        text: server.title,
        parts: [
          isDefect ? ['It breaks', textsOf(server.breaks)] : ['It is about', textsOf(server.about)],
          ['Start it, and judge it with the settings that it prints', start],
        ],
      };
    }),
    ...(inArea.length === 0
      ? []
      : [{ kind: 'an area', text: `"run --only ${id}" runs its checks.`, parts: [['Its checks', inArea] as const] }]),
    ...(HINT_IDS.includes(id) ? [{ kind: 'a hint', text: HINT }] : []),
    ...(expected === ''
      ? []
      : [
          {
            kind: 'a finding',
            text: `Every refusal that must get ${expected} gets ${actual}. The report names its checks.`,
          },
        ]),
  ];
}

/** `explain`: whatever has an id in an output. */
export const command: Command = {
  usage: 'explain ID',
  about: `Explains a check, a finding, a requirement, an open point, a hint, or a server of
the proof (a defect or a variant): its text, its place in the source, how it is
judged, and what to change in a server. "list" shows ids.`,
  exitCodes: '0, 2 usage, such as an unknown id.',
  positionals: [1, 1, 'explain: give the id of a check, a finding or anything else; "list" shows ids.'],
  run: ({ positionals: [id = ''] }, { out, environment }) => {
    const explanations = explanationsOf(id, programName(environment));
    if (explanations.length === 0) {
      const known = [requirements, checks, openPoints, defects, variants].flatMap((all) => all.map((each) => each.id));
      const advice = hint(id, [...known, ...HINT_IDS]) || ' "list" shows ids.';
      throw new UsageError(`explain: nothing has the id ${id}.${advice}`);
    }
    const { bold } = colors.createColors(out.color);
    for (const { kind, text, parts = [] } of explanations) {
      out.write(`${bold(id)}  ${kind}\n${wrapped(text, out.width, '  ')}\n`);
      for (const [heading, items] of parts.filter(([, each]) => each.length > 0))
        out.write(`\n${heading}\n${items.map((item) => `${wrapped(item, out.width, '    ', '  ')}\n`).join('')}`);
    }
    return 0;
  },
};
