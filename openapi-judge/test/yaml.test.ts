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

/** A member that is large enough for its members to be read one by one. */
const large = `paths:\n  /a: ${'a'.repeat(6_000)}\n`;

it.each([
  ['other members', `# old\nopenapi: 3.1.0\n${large}  /b:\n    get: 2\n`],
  ['a member that stands twice', `${large}info: 1\n${large}`],
  ['an inner member that stands twice', `${large}  /b: 1\n  /b: 2\n`],
  ['the same text in two members', `${large}  x: &x\n    y: 1\nwebhooks:${large.slice(6)}  x: &x\n    y: 1\n`],
  ['a member without a value before others', `paths:\n${large}`],
  ['members to the left of the first one', ` info: 1\n${large}`],
  ['a member to the left of its holder', ` ${large.replace('\n  ', '\n')}`],
  ['a text that keeps its last lines', `${large}  /b: |+\n    b\n\n\ninfo: 1\n`],
  ['a text that keeps its last lines at the end', `${large}  /b: |+\n    b\n\n\n`],
  ['a quoted text in lines that look like members', `${large}  /b: "b\ninfo: 1"\n`],
  ['a list at the place of its key', `${large}tags:\n- name: a\n- name: b\n`],
  ['an alias of what another member says', `info: &i 1\n${large}  /b: *i\n`],
  ['a list where members are expected', `- ${large.replaceAll('\n', '\n  ')}`],
  ['the start of a document', `---\n${large}`],
  ['a second document', `${large}---\n${large}`],
  ['a second document inside', `${large}  /b:\n---\n    get: 1\n`],
])('a document with %s is read as by itself, whatever was read before it', (_what, text) => {
  valueOf(`openapi: 3.1.0\n${large}`, 'before');
  expect(outcomeOf(() => valueOf(text, 'now'), UsageError)).toBe(outcomeOf(() => readWhole(text), Error));
});

it.each(['', 'alias: &a { y: 1 }\nother: *a\n'])('what stands at two places is two objects', (aliases) => {
  const twice = `${large}  /x: { y: 1 }\nwebhooks:${large.slice(6)}  /x: { y: 1 }\n${aliases}`;
  valueOf(`${large}  /x: { y: 1 }\n`, 'before');
  const { paths, webhooks, alias, other } = valueOf(twice, 'now') as Readonly<Record<string, Record<string, unknown>>>;
  const found = [paths?.['/x'], webhooks?.['/x'], alias, other].filter((each) => each !== undefined);
  expect(found).toEqual(found.map(() => ({ y: 1 })));
  expect(new Set(found).size).toBe(aliases === '' ? 2 : 4);
});
