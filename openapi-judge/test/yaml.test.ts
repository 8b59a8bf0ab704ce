import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
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

/** Documents, by what is special about them. */
const texts = parse(readFileSync(new URL('texts.yaml', import.meta.url), 'utf8')) as Readonly<Record<string, string>>;
/** A member whose members are read one by one. */
const paths = 'paths:\n  /a: 1\n';

it.each(Object.entries(texts))(
  'a document with %s is read as by itself, whatever was read before it',
  (_what, text) => {
    valueOf(`openapi: 3.1.0\n${paths}`, 'before');
    expect(outcomeOf(() => valueOf(text, 'now'), UsageError)).toBe(outcomeOf(() => readWhole(text), Error));
  },
);

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
