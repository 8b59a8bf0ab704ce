import colors from 'picocolors';
import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { present } from '../common/text.ts';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { whereJudged } from '../conformance/checks/selection.ts';
import { inputShape, variableOf } from '../conformance/inputs.ts';
import { fixOfStatus, usualFix } from '../conformance/result/fixes.ts';
import { type Command, wrapped } from './command.ts';
import { argument } from './option.ts';

/** Shows what an id is, and lists below their headings; an empty one is not shown. */
type Show = (kind: string, text: string, parts?: Readonly<Record<string, readonly string[]>>) => void;

const titled = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const worded = ({ id, text }: { readonly id: string; readonly text: string }): string => `${id}: ${text}`;
const textsOf = (ids: readonly string[]): string[] => requirements.filter(({ id }) => ids.includes(id)).map(worded);

/** A JSON Pointer for people: the empty one is that of the whole document. */
const placeIn = (pointer: string): string => (pointer === '' ? 'the whole document' : pointer);

/** Shows all that has an id: it may be that of a check and of an area. */
function explain(wanted: string, show: Show): void {
  for (const { level, text, description = '', source, pointer } of requirements.filter(({ id }) => id === wanted)) {
    const own = checks.filter(({ requirement }) => requirement === wanted).map((each) => `by ${titled(each)}`);
    show(`a requirement, ${level}; its finding has the same id`, `${text} ${description}`.trim(), {
      'It stands in': [`${source} (source)`, `${placeIn(pointer)} (openapi.yaml)`],
      'It is judged': own.length > 0 ? own : [whereJudged(wanted)],
      'What to change in a server that breaks it': [usualFix(wanted)],
    });
  }
  for (const { id, level, title, requirement, inputs, requires = [], fix } of checks.filter(({ id }) => id === wanted))
    show(`a check, ${level}`, title, {
      'It judges': textsOf([requirement]),
      'What to change in a server that fails it': [fix ?? usualFix(requirement, id)],
      'It needs': inputs.map((name) => `${variableOf(name)}: ${inputShape[name].description ?? ''}`),
      'It says nothing if one of these is broken': textsOf(requires),
    });
  for (const { kind, text, ruling, source, observations } of openPoints.filter(({ id }) => id === wanted))
    show(`an open point, ${kind}; it is never judged`, text, {
      'What this contract decides': [ruling, `${source} (source)`],
      'What the suite observes': observations.map(worded),
    });
  const inArea = checks.filter(({ area }) => area === wanted).map(titled);
  if (inArea.length > 0) show('an area', `"run --only ${wanted}" runs its checks.`, { 'Its checks': inArea });
  const [, expected, actual] = /^status\.(\d{3})-is-(\d{3})$/.exec(wanted) ?? [];
  if (expected && actual)
    show('a finding', `Every refusal that must get ${expected} gets ${actual}.`, {
      'What to change in a server that responds so': present([fixOfStatus(Number(expected), Number(actual))]),
    });
}

const OPTIONS = { id: argument('ID', z.string(), 'such as that of a check or a finding; "list" shows ids') };

/** `explain`: whatever has an id in an output. */
export const command: Command<typeof OPTIONS> = {
  about: `Explains a check, a finding, a requirement, an open point or an area: its text,
its place in the source, how it is judged, and what to change in a server.
"list" shows ids.`,
  options: OPTIONS,
  exitCodes: '0, 2 usage, such as an unknown id.',
  run: ({ id }, { out }) => {
    const { bold } = colors.createColors(out.color);
    const shown: string[] = [];
    explain(id, (kind, text, parts = {}) => {
      shown.push(`${bold(id)}  ${kind}\n${wrapped(text, out.width, '  ')}\n`);
      for (const [heading, items] of Object.entries(parts).filter(([, each]) => each.length > 0))
        shown.push(`\n${heading}\n${items.map((item) => `${wrapped(item, out.width, '    ', '  ')}\n`).join('')}`);
    });
    const known = [requirements, checks, openPoints].flatMap((all) => all.map((each) => each.id));
    if (shown.length === 0)
      throw new UsageError(`explain: nothing has the id ${id}.${hint(id, known) || ' "list" shows ids.'}`);
    out.write(shown.join(''));
    return 0;
  },
};
