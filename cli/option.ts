import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { type ParsedArguments, UsageError } from '../common/process/args.ts';
import { wanted } from '../conformance/inputs.ts';

/** How an option is given, apart from its flag. */
interface Way {
  readonly group?: string;
  readonly variable?: string;
  /** What the variable has, if it is something else than what the flag has. */
  readonly variableSchema?: z.ZodType;
  readonly repeatable?: true;
  /** Makes of the texts of the flag, or of the variable, what the configuration file would have. By default: the text. */
  readonly fromTexts?: (texts: readonly string[], flag: string) => unknown;
  /** Whether it is a path, or has paths: in a file they are relative to the folder of the file. */
  readonly isPath?: true;
  /** Whether no configuration file has it: it says something of one run alone. */
  readonly flagOnly?: true;
  /** Whether some checks need it, so that `init` asks for it. */
  readonly isNeeded?: true;
  readonly default?: string | number;
  /** As the configuration file has it. */
  readonly example?: unknown;
}

/** An option of a command. */
export interface Option<S extends z.ZodType = z.ZodType> extends Way {
  /** As it is written, with its value (`--user-id ID`) and its short form (`--quiet, -q`). An argument has no dashes. */
  readonly flag: string;
  readonly schema: S;
  /** A sentence without its capital and its full stop. */
  readonly about: string;
}

/** Options by their names. */
export type Options = Readonly<Record<string, Option>>;

/** What some options say. */
export type ValuesOf<O extends Options> = { readonly [Name in keyof O]?: z.output<O[Name]['schema']> };

const PATH = wanted('the path of a file');
export const path = z.string(PATH).regex(/\S/, PATH);

export const isSet = z.boolean();

const numberFrom = ([text = '']: readonly string[]): unknown => (/^\d+$/.test(text) ? Number(text) : text);

/** Declares an option. A number is read from its digits, a path is one, and no file has what is only set or not. */
export function option<S extends z.ZodType>(flag: string, schema: S, about: string, way: Way = {}): Option<S> {
  return {
    ...{ flag, schema, about },
    ...(schema instanceof z.ZodNumber && { fromTexts: numberFrom }),
    ...(schema instanceof z.ZodBoolean && { flagOnly: true }),
    ...((schema as z.ZodType) === path && { isPath: true }),
    ...way,
  };
}

/** A flag without its value; an argument as it is. */
export const flagOf = ({ flag }: Option): string => flag.replace(/[ ,=[].*/, '');

/** The name of a flag without its dashes; an argument as it is. */
export const optionName = (option: Option): string => flagOf(option).replace('--', '');

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number) {
  const whole = wanted(`a whole number from ${least} to ${most}`);
  return z.int(whole).min(least, whole).max(most, whole);
}

/** What to say of a value that is not one of some words. */
export function notOneOf(given: unknown, words: readonly string[]): string {
  const near = typeof given === 'string' ? hint(given, words) : '';
  return `${JSON.stringify(given)} is not one of ${words.join(', ')}.${near}`;
}

/** One of some words. */
export function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: ({ input }) => notOneOf(input, words) });
}

/** A value that was given. */
export interface Given {
  /** As a configuration file would have it, also where it was given by a flag or a variable. */
  readonly value: unknown;
  readonly schema: z.ZodType;
  /** Where it, or a part of it, was given, for messages: the flag, the variable, or the place in the file. */
  readonly at: (part: readonly PropertyKey[]) => string;
}

/** What the flags say. */
export function givenByFlags(options: Options, values: ParsedArguments['values']): Record<string, Given> {
  const given = Object.entries(options).flatMap(([name, each]) => {
    const value = values[optionName(each)];
    if (value === undefined) return [];
    const flag = flagOf(each);
    const own = each.fromTexts ? each.fromTexts([value].flat().map(String), flag) : value;
    return [[name, { value: own, schema: each.schema, at: () => flag }] as const];
  });
  return Object.fromEntries(given);
}

/** How many mistakes are told at once. */
export const MOST_TOLD = 10;

/** The values that were given, if each fits its schema. @throws UsageError with a line for each mistake */
export function valuesOf(given: Readonly<Record<string, Given>>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const mistakes: string[] = [];
  for (const [name, { value, schema, at }] of Object.entries(given)) {
    const { data, error } = schema.safeParse(value);
    const [issue] = error?.issues ?? [];
    if (!issue) values[name] = data;
    else {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
      mistakes.push(`${at([...issue.path, ...unknown])}: ${issue.message}`);
    }
  }
  if (mistakes.length > 0) throw new UsageError(...mistakes.slice(0, MOST_TOLD));
  return values;
}

/** What the flags of a command say. @throws UsageError with a line for each mistake */
export function flagsOf<O extends Options>(options: O, { values }: Pick<ParsedArguments, 'values'>): ValuesOf<O> {
  return valuesOf(givenByFlags(options, values)) as ValuesOf<O>;
}
