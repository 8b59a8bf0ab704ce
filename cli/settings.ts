import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { capitalized } from '../common/text.ts';
import { LEVELS } from '../contract/document.ts';
import { shellWord } from '../conformance/http/curl.ts';
import {
  baseAddress,
  DEFAULT_EMAIL_DOMAIN,
  type Inputs,
  inputShape,
  variableOf,
  wanted,
} from '../conformance/inputs.ts';

/** The file that is used without being named. */
export const DEFAULT_CONFIGURATION = 'conformance.yaml';

/** The titles under which `--help` and the configuration file show the settings. */
export const GROUPS = {
  target: 'Target',
  selection: 'Selection and verdict',
  exploration: 'Exploration',
  output: 'Output',
  limits: 'Limits',
  several: 'Several targets',
  file: 'Configuration file',
} as const;

/** How a setting is given, in addition to the configuration file. */
export interface Way {
  readonly group: keyof typeof GROUPS;
  /** As it is written, with its value (`--user-id ID`) and its short form (`--quiet, -q`). An argument has no dashes. */
  readonly flag: string;
  readonly variable?: string;
  /** Whether the flag may be given more than once. */
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

const ways = z.registry<Way>();

const numberFrom = ([text = '']: readonly string[]): unknown => (/^\d+$/.test(text) ? Number(text) : text);

/** Declares a setting; what it is for is a sentence without its capital and its full stop. */
function setting<S extends z.ZodType>(
  group: Way['group'],
  flag: string,
  schema: S,
  description: string,
  more: Omit<Way, 'group' | 'flag'> = {},
): S {
  const { default: fallback, example } = more;
  const own = schema.meta({
    description,
    ...(fallback !== undefined && { default: fallback }),
    ...(example !== undefined && { examples: [example] }),
  });
  ways.add(own, { group, flag, ...(schema instanceof z.ZodNumber && { fromTexts: numberFrom }), ...more });
  return own;
}

/** A setting that is an input of the suite. */
function input<S extends z.ZodType>(name: keyof Inputs, flag: string, schema: S, more: Partial<Way> = {}): S {
  return setting('target', flag, schema, schema.description ?? '', { variable: variableOf(name), ...more });
}

const PATH = wanted('the path of a file');
const path = z.string(PATH).regex(/\S/, PATH);

function keyFile(name: 'adminKey' | 'restrictedKey', flag: string, example: string): typeof path {
  const description = `a file with ${inputShape[name].description ?? ''}; the variable has the key itself`;
  return setting('target', flag, path, description, { variable: variableOf(name), isPath: true, example });
}

function wholeNumber(least: number, most: number) {
  const whole = wanted(`a whole number from ${least} to ${most}`);
  return z.int(whole).min(least, whole).max(most, whole);
}

function jsonValuesFrom([text = '']: readonly string[]): unknown {
  try {
    return JSON.parse(`[${text}]`) as unknown;
  } catch {
    return text;
  }
}

function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, {
    error: ({ input: given }) => {
      const near = typeof given === 'string' ? hint(given, words) : '';
      return `${JSON.stringify(given)} is not one of ${words.join(', ')}.${near}`;
    },
  });
}

const NAME = wanted('an id, or a glob such as update-*');
const names = z.array(z.string(NAME).regex(/^[^,]*[^,\s][^,]*$/, NAME), wanted('a list such as [update-name]'));
const namesFrom = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',').map((each) => each.trim()));

/** The formats of the reports that a run writes to files. */
export const REPORT_FORMATS = ['json', 'junit', 'html', 'markdown', 'har'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const reports = z
  .partialRecord(word(REPORT_FORMATS), path, wanted('formats with paths, such as { json: result.json }'))
  .transform((paths) => Object.entries(paths) as [ReportFormat, string][]);

function reportsFrom(texts: readonly string[], flag: string): Record<string, string> {
  const given = texts.map((text) => {
    const at = text.indexOf('=');
    if (at === -1 || at === text.length - 1)
      throw new UsageError(`${flag} ${text}: write FORMAT=PATH, for example json=result.json.`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const twice = given.find(([format], index) => given.findIndex(([other]) => other === format) < index);
  if (twice) throw new UsageError(`${flag}: ${twice[0]} is given twice; one file is enough.`);
  return Object.fromEntries(given);
}

const isSet = z.boolean();
const MOST_MS = 86_400_000;
/** What `--explore` without a number stands for. */
export const DEFAULT_SEQUENCES = 30;

const { baseUrl, userId, otherUserId, missingUserId, roleIds, bannerIds, emailDomain } = inputShape;
const ONE_RUN = { flagOnly: true } as const;
const NEEDED = { isNeeded: true } as const;
const VALUES = { fromTexts: jsonValuesFrom } as const;
const NAMES = { repeatable: true, fromTexts: namesFrom } as const;

const CA = "PEM certificates to trust in addition to Node's";
const INSECURE = 'trust every certificate; anyone on the network path can read the keys';
const ONLY = 'judge only these: ids or globs of checks, requirements, areas or levels';
const FAIL_ON = 'the lowest level whose failure fails the run';
const AGAIN = 'rerun only the failed and inconclusive checks of an earlier JSON result';
const KNOWN = 'the known failures, each with a reason; "baseline write" writes it';
const EXPLORE = `also try N random sequences of updates (${DEFAULT_SEQUENCES})`;
const JOURNAL = "where to keep the users' values until they are restored (a temporary file)";
const VERBOSE = 'print the whole report, and every exchange on stderr, without the keys';
const WAIT = 'wait up to SECONDS for the target to come up, then run anyway';
const TIMEOUT = 'milliseconds for one request, to the last byte';
const TARGETS = 'judge the targets of a YAML or JSON file, in place of BASE_URL';
const CONFIG =
  `YAML or JSON with the settings above; by default ${DEFAULT_CONFIGURATION}, if it exists. ` +
  'Flags override environment variables; both override the file';

/** Every setting, by its name in a configuration file: flags, variables, help and the schema of the file are made of it. */
export const settings = z.strictObject({
  baseUrl: input('baseUrl', 'BASE_URL', baseUrl, { ...NEEDED, example: 'http://localhost:4242' }),
  adminKeyFile: keyFile('adminKey', '--admin-key-file FILE', 'admin.key'),
  restrictedKeyFile: keyFile('restrictedKey', '--restricted-key-file FILE', 'restricted.key'),
  userId: input('userId', '--user-id ID', userId, { ...NEEDED, example: 4 }),
  otherUserId: input('otherUserId', '--other-user-id ID', otherUserId, { ...NEEDED, example: 5 }),
  missingUserId: input('missingUserId', '--missing-user-id ID', missingUserId, { ...NEEDED, example: 404404 }),
  roleIds: input('roleIds', '--role-ids 1,2', roleIds, { ...NEEDED, ...VALUES, example: [1, 2] }),
  bannerIds: input('bannerIds', '--banner-ids 1,2', bannerIds, { ...VALUES, example: [1, 2, 3] }),
  emailDomain: input('emailDomain', '--email-domain DOMAIN', emailDomain, { default: DEFAULT_EMAIL_DOMAIN }),
  ca: setting('target', '--ca FILE', path, CA, { isPath: true, example: 'authority.pem' }),
  insecure: setting('target', '--insecure', isSet, INSECURE, ONE_RUN),
  reference: setting('target', '--reference', isSet, 'judge the embedded reference server, on a free port', ONE_RUN),

  only: setting('selection', '--only A,B', names, ONLY, { ...NAMES, example: ['update-*'] }),
  skip: setting('selection', '--skip A,B', names, 'skip these', { ...NAMES, example: ['permission-*'] }),
  again: setting('selection', '--again RESULT', path, AGAIN, ONE_RUN),
  failOn: setting('selection', '--fail-on must|should', word(LEVELS), FAIL_ON, { default: 'must' }),
  baseline: setting('selection', '--baseline FILE', path, KNOWN, { isPath: true, example: 'baseline.json' }),

  explore: setting('exploration', '--explore[=N]', wholeNumber(1, 10_000), EXPLORE, { example: DEFAULT_SEQUENCES }),
  seed: setting('exploration', '--seed S', wholeNumber(0, 2 ** 31 - 1), 'repeat an earlier exploration', ONE_RUN),

  format: setting('output', '--format pretty|json', word(['pretty', 'json']), 'what to print on stdout', {
    default: 'pretty',
  }),
  reports: setting('output', '--report FORMAT=PATH', reports, `also write a report: ${REPORT_FORMATS.join(', ')}`, {
    repeatable: true,
    fromTexts: reportsFrom,
    isPath: true,
    example: { json: 'result.json' },
  }),
  journal: setting('output', '--journal FILE', path, JOURNAL, { isPath: true, example: 'journal.json' }),
  quiet: setting('output', '--quiet, -q', isSet, 'print one line for the verdict and one for each finding', ONE_RUN),
  verbose: setting('output', '--verbose, -v', isSet, VERBOSE, ONE_RUN),

  wait: setting('limits', '--wait SECONDS', wholeNumber(1, 86_400), WAIT, { example: 30 }),
  timeout: setting('limits', '--timeout MS', wholeNumber(1, MOST_MS), TIMEOUT, { default: 10_000 }),
  deadline: setting('limits', '--deadline MS', wholeNumber(1, MOST_MS), 'milliseconds for the whole run', {
    default: 300_000,
  }),

  targets: setting('several', '--targets FILE', path, TARGETS, ONE_RUN),
  output: setting('several', '--output FOLDER', path, 'the folder for the matrix and the results', {
    ...ONE_RUN,
    default: 'conformance-targets',
  }),

  config: setting('file', '--config FILE', path, CONFIG, { ...ONE_RUN, variable: 'CONFORMANCE_CONFIG' }),
});

/** The name of a setting in a configuration file. */
export type SettingName = keyof typeof settings.shape;

/** The names of all settings, in the order in which they are shown. */
export const SETTING_NAMES = Object.keys(settings.shape) as SettingName[];

/** What the settings of a command say. A key takes the place of the file that has it. */
export type Values = Partial<
  Omit<z.output<typeof settings>, 'adminKeyFile' | 'restrictedKeyFile'> & Pick<Inputs, 'adminKey' | 'restrictedKey'>
>;

/** How a setting is given. */
export function wayOf(name: SettingName): Way {
  const way = ways.get(settings.shape[name]);
  if (!way) throw new Error(`The setting ${name} has no way to be given.`);
  return way;
}

/** What a setting is, as a sentence without its capital and its full stop. */
export const descriptionOf = (name: SettingName): string => settings.shape[name].description ?? '';

/** The name of a flag without its dashes; of an argument such as `BASE_URL`, `base-url`. */
export function optionName(flag: string): string {
  return /^--([a-z-]+)/.exec(flag)?.[1] ?? flag.toLowerCase().replaceAll('_', '-');
}

/** The settings of a configuration file. */
export const FILE_SETTINGS = SETTING_NAMES.filter((name) => !wayOf(name).flagOnly);

/** The settings that say what the target is, each with a variable. */
export const TARGET_SETTINGS = FILE_SETTINGS.filter(
  (name) => wayOf(name).group === 'target' && wayOf(name).variable !== undefined,
);

/** A schema of an object with some of the settings, and `$schema`, which editors use. */
export function schemaOf(known: readonly SettingName[]) {
  const shape = Object.fromEntries(known.map((name) => [name, settings.shape[name]]));
  const $schema = z.string().describe('Where this schema is, for editors.');
  return z.strictObject({ $schema, ...shape }).partial();
}

/** The JSON Schema of a configuration file. */
export function configurationSchema(): object {
  return {
    title: 'Configuration of admin-api-conformance',
    description:
      `The settings in ${DEFAULT_CONFIGURATION}, as YAML or JSON. Flags override environment variables; both override the file. ` +
      'Relative paths are relative to the folder of the file. Keys do not belong in it.',
    ...z.toJSONSchema(schemaOf(FILE_SETTINGS), {
      io: 'input',
      override: ({ jsonSchema }) => {
        const { description = '.' } = jsonSchema;
        if (!description.endsWith('.')) jsonSchema.description = `${capitalized(description)}.`;
      },
    }),
  };
}

/** The value of an input as the text of its variable; an empty list has none. */
function variableText(value: unknown): string | undefined {
  if (value instanceof URL) return baseAddress(value);
  if (!Array.isArray(value)) return value as string | undefined;
  return value.length === 0 ? undefined : value.map((each) => JSON.stringify(each)).join(',');
}

/** The environment variables that say the same of a target as these inputs. What is a default is left out. */
export function environmentOf(inputs: Partial<Inputs>): Record<string, string> {
  const given = Object.entries(inputs) as [keyof Inputs, unknown][];
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      const text = name === 'emailDomain' && value === DEFAULT_EMAIL_DOMAIN ? undefined : variableText(value);
      return text === undefined ? [] : [[variableOf(name), text]];
    }),
  );
}

/** The lines that set these variables in a shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `export ${name}=${shellWord(value)}`);
}
