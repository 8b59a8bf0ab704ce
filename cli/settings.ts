import { z } from 'zod';
import { parsedJson } from '../common/json.ts';
import { UsageError } from '../common/process/args.ts';
import { readGivenFile } from '../common/process/files.ts';
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
import {
  isSet,
  notOneOf,
  option,
  type Option,
  type Options,
  path,
  type ValuesOf,
  wholeNumber,
  word,
} from './option.ts';

/** The file that is used without being named. */
export const DEFAULT_CONFIGURATION = 'conformance.yaml';

/** A setting that is an input of the suite. */
function input<S extends z.ZodType>(name: keyof Inputs, flag: string, schema: S, more: Partial<Option> = {}) {
  return option(flag, schema, schema.description ?? '', { group: 'Target', variable: variableOf(name), ...more });
}

const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '');

/** The key in a file. */
function readKey(file: string, context: z.RefinementCtx): string {
  try {
    return withoutNewline(readGivenFile('', file));
  } catch (error) {
    if (error instanceof UsageError) context.addIssue({ code: 'custom', message: error.message });
    else throw error;
    return z.NEVER;
  }
}

/** A setting that names the file of a key, and gives the key. Its variable has the key itself. */
function keyFile(name: 'adminKey' | 'restrictedKey', flag: string, example: string) {
  const key = inputShape[name];
  const variableSchema = z.string().transform(withoutNewline).pipe(key);
  const about = `a file with ${key.description ?? ''}; the variable has the key itself`;
  const way = { group: 'Target', variable: variableOf(name), variableSchema, isPath: true, example } as const;
  return option(flag, path.transform(readKey).pipe(key), about, way);
}

const jsonValuesFrom = ([text = '']: readonly string[]): unknown =>
  text === '[]' ? [] : (parsedJson(`[${text}]`) ?? text);

const NAME = wanted('an id, or a glob such as update-*');
const names = z.array(z.string(NAME).regex(/^\s*[^,\s][^,]*$/, NAME), wanted('a list such as [update-name]'));
const namesFrom = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',').map((each) => each.trim()));

/** The formats of the reports that a run writes to files. */
export const REPORT_FORMATS = ['json', 'junit', 'html', 'markdown', 'har'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const PATHS = wanted('formats with paths, such as { json: result.json }');
const reports = z
  .partialRecord(word(REPORT_FORMATS), path, {
    error: (issue: z.core.$ZodRawIssue) =>
      issue.code === 'unrecognized_keys' ? notOneOf(issue.keys[0], REPORT_FORMATS) : PATHS.error(issue),
  })
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

const MOST_MS = 86_400_000;

/** Declares the settings of a group. */
const inGroup =
  (group: string, all: Partial<Option> = {}) =>
  <S extends z.ZodType>(flag: string, schema: S, about: string, way: Partial<Option> = {}) =>
    option(flag, schema, about, { group, ...all, ...way });

const target = inGroup('Target');
const selection = inGroup('Selection and verdict');
const output = inGroup('Output');
const limit = inGroup('Limits');
const several = inGroup('Several targets', { flagOnly: true });
const file = inGroup('Configuration file', { flagOnly: true });

const { baseUrl, userId, otherUserId, missingUserId, roleIds, bannerIds, emailDomain } = inputShape;
const isNeeded = true;
const flagOnly = true;
const NAMES = { repeatable: true, fromTexts: namesFrom } as const;
const REPORTS = { repeatable: true, fromTexts: reportsFrom, isPath: true } as const;

/** Every setting, by its name in a configuration file: flags, variables, help and the schema of the file are made of it. */
export const settings = {
  baseUrl: input('baseUrl', 'BASE_URL', baseUrl, { isNeeded, example: 'http://localhost:4242' }),
  adminKeyFile: keyFile('adminKey', '--admin-key-file FILE', 'admin.key'),
  restrictedKeyFile: keyFile('restrictedKey', '--restricted-key-file FILE', 'restricted.key'),
  userId: input('userId', '--user-id ID', userId, { isNeeded, example: 4 }),
  otherUserId: input('otherUserId', '--other-user-id ID', otherUserId, { isNeeded, example: 5 }),
  missingUserId: input('missingUserId', '--missing-user-id ID', missingUserId, { isNeeded, example: 404404 }),
  roleIds: input('roleIds', '--role-ids 1,2', roleIds, { isNeeded, fromTexts: jsonValuesFrom, example: [1, 2] }),
  bannerIds: input('bannerIds', '--banner-ids 1,2', bannerIds, { fromTexts: jsonValuesFrom, example: [1, 2, 3] }),
  emailDomain: input('emailDomain', '--email-domain DOMAIN', emailDomain, { default: DEFAULT_EMAIL_DOMAIN }),
  ca: target('--ca FILE', path, "PEM certificates to trust in addition to Node's", { example: 'authority.pem' }),
  insecure: target('--insecure', isSet, 'trust every certificate; anyone on the network path can read the keys'),
  reference: target('--reference', isSet, 'judge the embedded reference server, on a free port'),

  only: selection('--only A,B', names, 'judge only these: ids or globs of checks, requirements, areas or levels', {
    ...NAMES,
    example: ['update-*'],
  }),
  skip: selection('--skip A,B', names, 'skip these', { ...NAMES, example: ['permission-*'] }),
  again: selection('--again RESULT', path, 'rerun what failed or was inconclusive in an earlier result', { flagOnly }),
  failOn: selection('--fail-on must|should', word(LEVELS), 'the lowest level that fails the run', { default: 'must' }),
  baseline: selection('--baseline FILE', path, 'known failures, from "baseline write"', { example: 'baseline.json' }),
  explore: selection('--explore[=N]', wholeNumber(1, 10_000), 'also try N (30) random sequences', { example: 30 }),
  seed: selection('--seed S', wholeNumber(0, 2 ** 31 - 1), 'repeat an earlier exploration', { flagOnly }),

  format: output('--format pretty|json', word(['pretty', 'json']), 'what to print on stdout', { default: 'pretty' }),
  reports: output('--report FORMAT=PATH', reports, `also write a report: ${REPORT_FORMATS.join(', ')}`, {
    ...REPORTS,
    example: { json: 'result.json' },
  }),
  journal: output('--journal FILE', path, "keeps the users' values until restored", { example: 'journal.json' }),
  quiet: output('--quiet, -q', isSet, 'print one line for the verdict and one for each finding'),
  verbose: output('--verbose, -v', isSet, 'print the whole report, and every exchange on stderr, without the keys'),

  wait: limit('--wait SECONDS', wholeNumber(1, 86_400), 'wait up to SECONDS for the target', { example: 30 }),
  timeout: limit('--timeout MS', wholeNumber(1, MOST_MS), 'milliseconds for a whole request', { default: 10_000 }),
  deadline: limit('--deadline MS', wholeNumber(1, MOST_MS), 'milliseconds for the whole run', { default: 300_000 }),

  targets: several('--targets FILE', path, 'judge the targets of a YAML or JSON file, in place of BASE_URL'),
  output: several('--output FOLDER', path, 'the folder of the results', { default: 'conformance-targets' }),

  config: file(
    '--config FILE',
    path,
    `YAML or JSON with the settings above; by default ${DEFAULT_CONFIGURATION}, if it exists. Flags override environment variables; both override the file`,
    { variable: 'CONFORMANCE_CONFIG' },
  ),
};

/** The name of a setting in a configuration file. */
export type SettingName = keyof typeof settings;

/** The names of all settings, in the order in which they are shown. */
export const SETTING_NAMES = Object.keys(settings) as SettingName[];

/** What the settings of a command say; of a file with a key, the key. */
export type Values = ValuesOf<typeof settings>;

/** The settings of a configuration file. */
export const FILE_SETTINGS = SETTING_NAMES.filter((name) => !settings[name].flagOnly);

/** The settings that say what the target is, each with a variable. */
export const TARGET_SETTINGS = FILE_SETTINGS.filter((name) => settings[name].variable !== undefined);

/** Some of the settings. */
export function settingsOf(names: readonly SettingName[]): Options {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** The JSON Schema of a configuration file. */
export function configurationSchema(): object {
  const described = FILE_SETTINGS.map((name) => {
    const { schema, about, default: fallback, example } = settings[name] as Option;
    const more = {
      ...(fallback !== undefined && { default: fallback }),
      ...(example !== undefined && { examples: [example] }),
    };
    return [name, schema.meta({ description: `${capitalized(about)}.`, ...more })];
  });
  const $schema = z.string().describe('Where this schema is, for editors.');
  const schema = z.strictObject({ $schema, ...Object.fromEntries(described) }).partial();
  return {
    title: 'Configuration of admin-api-conformance',
    description:
      `The settings in ${DEFAULT_CONFIGURATION}, as YAML or JSON. Flags override environment variables; both override the file. ` +
      'Relative paths are relative to the folder of the file. Keys do not belong in it.',
    ...z.toJSONSchema(schema, { io: 'input' }),
  };
}

/** The value of an input as the text of its variable. */
function variableText(value: unknown): string | undefined {
  if (value instanceof URL) return baseAddress(value);
  if (!Array.isArray(value)) return value as string | undefined;
  return value.length === 0 ? '[]' : value.map((each) => JSON.stringify(each)).join(',');
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
