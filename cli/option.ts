import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { readBounded, Unreadable } from '../common/process/bounded-file.ts';
import { wanted } from '../conformance/inputs.ts';

/** How an option is given. */
export interface Way {
  /** As it is written, with its value (`--user-id ID`) and its short form (`--quiet, -q`). An argument has no dashes. */
  readonly flag: string;
  readonly group?: string;
  readonly variable?: string;
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

/** Options by their names. */
export type Options = Readonly<Record<string, z.ZodType>>;

/** What some options say. */
export type ValuesOf<O extends Options> = Partial<z.output<z.ZodObject<O>>>;

const ways = z.registry<Way>();

const numberFrom = ([text = '']: readonly string[]): unknown => (/^\d+$/.test(text) ? Number(text) : text);

/** Declares an option; its description is a sentence without its capital and its full stop. */
export function option<S extends z.ZodType>(
  flag: string,
  schema: S,
  description: string,
  more: Omit<Way, 'flag'> = {},
): S {
  const { default: fallback, example } = more;
  const own = schema.meta({
    description,
    ...(fallback !== undefined && { default: fallback }),
    ...(example !== undefined && { examples: [example] }),
  });
  ways.add(own, { flag, ...(schema instanceof z.ZodNumber && { fromTexts: numberFrom }), ...more });
  return own;
}

/** How one of some options is given. */
export function wayOf(options: Options, name: string): Way {
  const way = ways.get(options[name] ?? z.never());
  if (!way) throw new Error(`There is no option ${name}.`);
  return way;
}

/** The name of a flag without its dashes; of an argument such as `BASE_URL`, `base-url`. */
export function optionName(flag: string): string {
  return /^--([a-z-]+)/.exec(flag)?.[1] ?? flag.toLowerCase().replaceAll('_', '-');
}

const PATH = wanted('the path of a file');
export const path = z.string(PATH).regex(/\S/, PATH);

export const isSet = z.boolean();

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number) {
  const whole = wanted(`a whole number from ${least} to ${most}`);
  return z.int(whole).min(least, whole).max(most, whole);
}

/** One of some words. */
export function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, {
    error: ({ input: given }) => {
      const near = typeof given === 'string' ? hint(given, words) : '';
      return `${JSON.stringify(given)} is not one of ${words.join(', ')}.${near}`;
    },
  });
}

/** The text of a variable or a file that holds a key. */
export const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '');

/** The key in a file. */
export function readKey(file: string, context: z.RefinementCtx): string {
  try {
    return withoutNewline(readBounded(file));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    context.addIssue({ code: 'custom', message: `${error.message}.` });
    return z.NEVER;
  }
}
