import { CORE_SCHEMA, loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import { UsageError } from '../../common/process/args.ts';
import { valueOf } from '../src/documents/yaml.ts';

/** What a reading gives, in its order; undefined where it is refused. */
function outcomeOf(read: () => unknown, refusal: new (...args: never[]) => Error): string | undefined {
  try {
    return JSON.stringify(read());
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
    return undefined;
  }
}

function readWhole(text: string): unknown {
  const [value, ...others] = loadAll(text, undefined, { schema: CORE_SCHEMA });
  if (others.length > 0) throw new Error('there are several documents');
  return value;
}

/** A member whose members are read one by one. */
const paths = 'paths:\n  /a: 1\n';

it.each([
  ['other members', `# old\nopenapi: 3.1.0\n${paths}  /b:\n    get: 2\n`],
  ['a member that stands twice', `${paths}info: 1\n${paths}`],
  ['an inner member that stands twice', `${paths}  /b: 1\n  /b: 2\n`],
  ['the same text in two members', `${paths}  x: &x\n    y: 1\nwebhooks:${paths.slice(6)}  x: &x\n    y: 1\n`],
  ['a member without a value before others', `paths:\n${paths}`],
  ['members to the left of the first one', ` info: 1\n${paths}`],
  ['a member to the left of its holder', ` ${paths.replace('\n  ', '\n')}`],
  ['a text that keeps its last lines', `${paths}  /b: |+\n    b\n\n\ninfo: 1\n`],
  ['a text that keeps its last lines at the end', `${paths}  /b: |+\n    b\n\n\n`],
  ['a quoted text in lines that look like members', `${paths}  /b: "b\ninfo: 1"\n`],
  ['a list at the place of its key', `${paths}tags:\n- name: a\n- name: b\n`],
  ['an alias of what another member says', `info: &i 1\n${paths}  /b: *i\n`],
  ['a list where members are expected', `- ${paths.replaceAll('\n', '\n  ')}`],
  ['the start of a document', `---\n${paths}`],
  ['a second document', `${paths}---\n${paths}`],
  ['a second document inside', `${paths}  /b:\n---\n    get: 1\n`],
])('a document with %s is read as by itself, whatever was read before it', (_what, text) => {
  valueOf(`openapi: 3.1.0\n${paths}`, 'before');
  expect(outcomeOf(() => valueOf(text, 'now'), UsageError)).toBe(outcomeOf(() => readWhole(text), Error));
});

it.each(['', 'alias: &a { y: 1 }\nother: *a\n'])('what stands at two places is two objects', (aliases) => {
  const twice = `${paths}  /x: { y: 1 }\nwebhooks:${paths.slice(6)}  /x: { y: 1 }\n${aliases}`;
  valueOf(`${paths}  /x: { y: 1 }\n`, 'before');
  const {
    paths: old,
    webhooks,
    alias,
    other,
  } = valueOf(twice, 'now') as Readonly<Record<string, Record<string, unknown>>>;
  const found = [old?.['/x'], webhooks?.['/x'], alias, other].filter((each) => each !== undefined);
  expect(found).toEqual(found.map(() => ({ y: 1 })));
  expect(new Set(found).size).toBe(aliases === '' ? 2 : 4);
});
