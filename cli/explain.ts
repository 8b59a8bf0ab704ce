import colors from 'picocolors';
import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { whereJudged } from '../conformance/checks/selection.ts';
import { inputShape, variableOf } from '../conformance/inputs.ts';
import { usualFix } from '../conformance/result/fixes.ts';
import { type Command, wrapped } from './command.ts';
import { argument } from './option.ts';

interface Explanation {
  readonly kind: string;
  readonly text: string;
  /** Lists below their headings; an empty one is not shown. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

const titled = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const worded = ({ id, text }: { readonly id: string; readonly text: string }): string => `${id}: ${text}`;
const textsOf = (ids: readonly string[]): string[] => requirements.filter(({ id }) => ids.includes(id)).map(worded);

/** What has an id; an id may stand for a check and for an area. */
function explanationsOf(id: string): Explanation[] {
  const called = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
    all.filter((each) => each.id === id);
  const inArea = checks.filter(({ area }) => area === id).map(titled);
  const [, expected, actual = ''] = /^status\.(\d{3})-is-(\d{3})$/.exec(id) ?? [];
  return [
    ...called(requirements).map(({ level, text, description = '', source, pointer }) => {
      const own = checks.filter(({ requirement }) => requirement === id).map((each) => `by ${titled(each)}`);
      return {
        kind: `a requirement, ${level}; a finding goes by its id`,
        text: `${text} ${description}`.trim(),
        parts: {
          'It stands in': [`${source} (source)`, `${pointer} (openapi.yaml)`],
          'It is judged': own.length > 0 ? own : [whereJudged(id)],
          'What to change in a server that breaks it': [usualFix(id)],
        },
      };
    }),
    ...called(checks).map(({ level, title, requirement, needs, after = [], fix }) => ({
      kind: `a check, ${level}`,
      text: title,
      parts: {
        'It judges': textsOf([requirement]),
        'What to change in a server that fails it': [fix ?? usualFix(requirement, id)],
        'It needs': needs.map((name) => `${variableOf(name)}: ${inputShape[name].description ?? ''}`),
        'It says nothing if one of these is broken': textsOf(after),
      },
    })),
    ...called(openPoints).map(({ kind, text, ruling, source, observations }) => ({
      kind: `an open point, ${kind}; it is never judged`,
      text,
      parts: {
        'What this contract decides': [ruling, `${source} (source)`],
        'What the suite observes': observations.map(worded),
      },
    })),
    ...(inArea.length === 0
      ? []
      : [{ kind: 'an area', text: `"run --only ${id}" runs its checks.`, parts: { 'Its checks': inArea } }]),
    ...(expected === undefined
      ? []
      : [{ kind: 'a finding', text: `Every refusal that must get ${expected} gets ${actual}.`, parts: {} }]),
  ];
}

const OPTIONS = { id: argument('ID', z.string(), 'the id of a check, a finding or anything else; "list" shows ids') };

/** `explain`: whatever has an id in an output. */
export const command: Command<typeof OPTIONS> = {
  about: `Explains a check, a finding, a requirement, an open point or an area: its text,
its place in the source, how it is judged, and what to change in a server.
"list" shows ids.`,
  options: OPTIONS,
  exitCodes: '0, 2 usage, such as an unknown id.',
  run: ({ id }, { out }) => {
    const explanations = explanationsOf(id);
    if (explanations.length === 0) {
      const known = [requirements, checks, openPoints].flatMap((all) => all.map((each) => each.id));
      throw new UsageError(`explain: nothing has the id ${id}.${hint(id, known) || ' "list" shows ids.'}`);
    }
    const { bold } = colors.createColors(out.color);
    for (const { kind, text, parts } of explanations) {
      out.write(`${bold(id)}  ${kind}\n${wrapped(text, out.width, '  ')}\n`);
      for (const [heading, items] of Object.entries(parts).filter(([, each]) => each.length > 0))
        out.write(`\n${heading}\n${items.map((item) => `${wrapped(item, out.width, '    ', '  ')}\n`).join('')}`);
    }
    return 0;
  },
};
