import { baseUrlProblem, domainProblem, idProblem, keyProblem } from '../../conformance/resources/inputs.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../conformance/report/formats.ts';
import { oneOf, readGivenFile, UsageError, wholeNumber } from '../../common/process/args.ts';
import { checkOutputPath } from '../output/output-file.ts';
import { plainValue, shown, type Located } from './data-file.ts';

/** How the value of a setting is written. Every function throws a UsageError that begins with the name it is given. */
export interface Kind<T = unknown> {
  /** The JSON Schema of the value in a configuration file. */
  readonly schema: object;
  /** The value in a configuration file, as the texts that its option would have. */
  readonly read: (value: Located, name: string) => string | string[];
  /** The text of the option. */
  readonly parse: (text: string, name: string) => T;
  /** The text of the environment variable, where it differs from that of the option. */
  readonly parseVariable?: (text: string, name: string) => T;
  /** Whether it is a path, which is relative to the folder of the configuration file. */
  readonly isPath?: true;
}

function refuse(value: Located, name: string, wanted: string): never {
  const nothing = value.kind === 'scalar' && value.value === null;
  throw new UsageError(
    nothing
      ? `${name}: no value; give ${wanted} or delete the line.`
      : `${name}: this must be ${wanted}; it is ${shown(value)}.`,
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

function textOf(value: Located, name: string, wanted: string, isRight = isText): string {
  return value.kind === 'scalar' && isRight(value.value) ? value.text : refuse(value, name, wanted);
}

/** A kind that a file has as a single value, which is read and parsed as the text of its option. */
function scalar<T>(schema: object, wanted: string, parse: Kind<T>['parse'], isRight = isText): Kind<T> {
  const read = (value: Located, name: string): string => {
    const text = textOf(value, name, wanted, isRight);
    parse(text, name);
    return text;
  };
  return { schema, read, parse };
}

/** Reads the address that `{baseUrl}` stands for. */
export function parseBaseUrl(name: string, text: string): URL {
  const problem = baseUrlProblem(text);
  if (problem === undefined) return new URL(text);
  throw new UsageError(`${name}: ${problem}`);
}

export const address: Kind<URL> = scalar(
  { type: 'string', pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$' },
  'an address such as http://localhost:4242',
  (text, name) => parseBaseUrl(name, text),
);

/** A parser of texts that have a problem or none. */
function sound(problemOf: (text: string) => string | undefined): (text: string, name: string) => string {
  return (text, name) => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new UsageError(`${name}: ${problem}`);
    return text;
  };
}

export const id: Kind<string> = scalar(
  { type: ['integer', 'string'], pattern: '^(0|-?[1-9][0-9]*)$' },
  'an integer such as 4',
  sound(idProblem),
  (value) => typeof value === 'number' || typeof value === 'string',
);

function parseJsonList(text: string, name: string, least: number): unknown[] {
  let list: unknown[];
  try {
    list = JSON.parse(`[${text}]`) as unknown[];
  } catch {
    throw new UsageError(
      `${name}: ${JSON.stringify(text)} is not a list of JSON values; write for example 1,2 or '"Admin","Editor"'.`,
    );
  }
  const [only] = list;
  if (list.length === 1 && Array.isArray(only))
    throw new UsageError(`${name}: write the values without brackets around them: ${text.trim().slice(1, -1)}.`);
  const distinct = new Set(list.map((value) => JSON.stringify(value)));
  if (distinct.size < least || distinct.size < list.length) {
    throw new UsageError(
      `${name}: give at least ${least} ${least === 1 ? 'value' : 'values'}, each once; got ${text}.`,
    );
  }
  return list;
}

/** JSON values, each once. */
export function values(least: number, example: string): Kind<unknown[]> {
  return {
    schema: { type: 'array', items: {}, minItems: least, uniqueItems: true },
    read: (value, name) => {
      if (value.kind !== 'list') return refuse(value, name, `a list such as ${example}`);
      const text = value.items.map((item) => JSON.stringify(plainValue(item))).join(',');
      parseJsonList(text, name, least);
      return text;
    },
    parse: (text, name) => parseJsonList(text, name, least),
  };
}

export const domain: Kind<string> = scalar(
  { type: 'string', pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' },
  'a domain such as example.com',
  sound(domainProblem),
);

const PATH_SCHEMA = { type: 'string', pattern: '\\S' };

export const path: Kind<string> = { ...scalar(PATH_SCHEMA, 'the path of a file', (text) => text), isPath: true };

function parseKey(text: string, name: string): string {
  const key = text.replace(/\r?\n$/, '');
  const problem = keyProblem(key);
  if (problem !== undefined) throw new UsageError(`${name}: the key ${problem}.`);
  return key;
}

/** A file that holds a key; the environment variable holds the key itself. */
export const keyFile: Kind<string> = {
  ...path,
  parse: (text, name) => parseKey(readGivenFile(name, text), `${name} ${text}`),
  parseVariable: parseKey,
};

/** Ids or globs. */
export const names: Kind<string[]> = {
  schema: { type: 'array', items: { type: 'string', pattern: '^[^,]*[^,\\s][^,]*$' } },
  read: (value, name) => {
    if (value.kind !== 'list') return refuse(value, name, 'a list such as [update-name-stored]');
    return value.items.map((item, index) => {
      const entry = textOf(item, `${name}/${index}`, 'an id or glob');
      return entry.includes(',') ? refuse(item, `${name}/${index}`, 'one id or glob, without a comma') : entry;
    });
  },
  parse: (text, name) => {
    const entries = text.split(',').map((each) => each.trim());
    if (entries.includes('')) throw new UsageError(`${name}: an entry is empty.`);
    return entries;
  },
};

/** One of some words. */
export function word<T extends string>(words: readonly T[]): Kind<T> {
  return scalar({ enum: words }, `one of ${words.join(', ')}`, (text, name) => oneOf(name, text, words));
}

/** A whole number from 1. */
export function number(most: number): Kind<number> {
  return scalar(
    { type: 'integer', minimum: 1, maximum: most },
    `a whole number from 1 to ${most}`,
    (text, name) => wholeNumber(name, text, 1, most),
    (value) => typeof value === 'number',
  );
}

/** What can be written to a file of its own: the reports, and what the run left. */
export const FILE_FORMATS: readonly (ReportFormat | 'recording')[] = [...REPORT_FORMATS, 'recording'];

/** A report that is written to a file. */
export interface ReportFile {
  readonly format: ReportFormat | 'recording';
  readonly path: string;
}

export const reports: Kind<ReportFile[]> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(FILE_FORMATS.map((format) => [format, PATH_SCHEMA])),
    additionalProperties: false,
  },
  read: (value, name) => {
    if (value.kind !== 'object')
      return refuse(value, name, 'an object of formats and paths, such as { json: result.json }');
    return value.members.map(({ name: format, value: file }) => {
      const member = `${name}/${format}`;
      return `${oneOf(member, format, FILE_FORMATS)}=${textOf(file, member, 'the path of a file')}`;
    });
  },
  parse: (text, name) => {
    const [, format, file] = /^([^=]*)=(.+)$/.exec(text) ?? [];
    if (format === undefined || file === undefined)
      throw new UsageError(`${name} ${text}: write FORMAT=PATH, for example json=result.json.`);
    checkOutputPath(`${name} ${text}`, file);
    return [{ format: oneOf(name, format, FILE_FORMATS), path: file }];
  },
  isPath: true,
};
