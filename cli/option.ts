import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { type ParsedArguments, UsageError } from '../common/process/args.ts';
import { read } from '../common/schema.ts';
import { outputFile, readGivenFile } from '../common/process/files.ts';
import { shownValue, wanted } from '../conformance/inputs.ts';
import { readResult } from '../conformance/result/read.ts';

/** An option of a command. */
export interface Option<S extends z.ZodType = z.ZodType> {
  /** As it is written, with its value (`--user-id ID`) and its short form (`--quiet, -q`). An argument has no dashes. */
  readonly flag: string;
  readonly schema: S;
  /** A sentence without its capital and its full stop. */
  readonly about: string;
  readonly variable?: string;
  /** What the variable has, if it is something else than what the flag has. */
  readonly variableSchema?: z.ZodType;
  readonly repeatable?: true;
  /** Whether the command does nothing without it. */
  readonly isNeeded?: true;
  /** Makes of the texts of the flag, or of the variable, what the configuration file would have. By default: the text. */
  readonly fromTexts?: (texts: readonly string[]) => unknown;
  /** Whether no configuration file has it: it says something of one run alone. */
  readonly flagOnly?: true;
  readonly default?: string | number;
}

/** How an option is given, apart from its flag. */
export type Way = Omit<Option, 'flag' | 'schema' | 'about'>;

/** Options by their names. */
export type Options = Readonly<Record<string, Option>>;

type Needed<O extends Options> = { [Name in keyof O]: O[Name] extends { isNeeded: true } ? Name : never }[keyof O];

/** What some options say. */
export type ValuesOf<O extends Options> = { readonly [Name in Needed<O>]: z.output<O[Name]['schema']> } & {
  readonly [Name in Exclude<keyof O, Needed<O>>]?: z.output<O[Name]['schema']>;
};

/** Declares an option. A number is read from its digits, and no file has what is only set or not. */
export function option<S extends z.ZodType>(flag: string, schema: S, about: string, way: Way = {}): Option<S> {
  return {
    flag,
    schema,
    about,
    ...(schema instanceof z.ZodNumber && { fromTexts: numberFrom }),
    ...(schema instanceof z.ZodBoolean && { flagOnly: true }),
    ...way,
  };
}

/** Declares an argument that has to be given. */
export function argument<S extends z.ZodType>(flag: string, schema: S, about: string, way: Way = {}) {
  return { ...option(flag, schema, about, way), isNeeded: true } as const;
}

const numberFrom = ([text = '']: readonly string[]): unknown => (/^\d+$/.test(text) ? Number(text) : text);

export const isSet = z.boolean();

const PATH = wanted('the path of a file');
export const path = z.string(PATH).regex(/\S/, PATH);

/** A text, and what is made of it. @param make throws a UsageError if that cannot be done */
export function made<T>(from: z.ZodString, make: (text: string) => T) {
  return from.transform((given, context) => {
    try {
      return make(given);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const message of error.message.split('\n')) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });
}

/** A file that is read. Its path may be a key that somebody wrote in its place, so no message shows it. */
export const inputFile = made(path, (file) => ({ path: file, text: readGivenFile(file, 1, '') }));
/** A result of a run. */
export const resultFile = made(path, (file) => ({ path: file, result: readResult(file) }));
/** A file that can be written. */
export const fileToWrite = made(path, outputFile);

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number) {
  const whole = wanted(`a whole number from ${least} to ${most}`);
  return z.int(whole).min(least, whole).max(most, whole);
}

/** What to say of a value that is not one of some words. */
export function notOneOf(given: unknown, words: readonly string[]): string {
  const near = typeof given === 'string' ? hint(given, words) : '';
  return `${shownValue(given)} is not one of ${words.join(', ')}.${near}`;
}

/** One of some words. */
export function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: ({ input }) => notOneOf(input, words) });
}

/** What was written, by the names of options. */
export type Texts = Readonly<Record<string, ParsedArguments['values'][string]>>;

/** What the texts of some options say. @throws UsageError with a line for each mistake */
export function valuesOf<O extends Options>(
  options: O,
  texts: Texts,
  placeOf: (option: Option) => string = flagOf,
  schemaOf: (option: Option) => z.ZodType = ({ schema }) => schema,
): ValuesOf<O> {
  const given = new Map(Object.entries(options).filter(([name]) => texts[name] !== undefined));
  const valueOf = ([name, { fromTexts }]: [string, Option]): unknown =>
    fromTexts ? fromTexts([texts[name] ?? []].flat().map(String)) : texts[name];
  const values = Object.fromEntries([...given].map((each) => [each[0], valueOf(each)]));
  const shape = Object.fromEntries([...given].map(([name, each]) => [name, schemaOf(each)]));
  return read(z.object(shape), values, ([name]) => placeOf(given.get(String(name)) as Option)) as ValuesOf<O>;
}

export const isFlag = ({ flag }: Option): boolean => flag.startsWith('-');

/** A flag without its value; an argument without what says how often it is given. */
export function flagOf({ flag }: Option): string {
  return /[\w.-]+/.exec(flag)?.[0] ?? '';
}
