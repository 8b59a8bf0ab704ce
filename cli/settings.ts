import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { parsedJson } from '../common/json.ts';
import { UsageError } from '../common/process/args.ts';
import { readGivenFile } from '../common/process/files.ts';
import { capitalized } from '../common/text.ts';
import { LEVELS } from '../contract/document.ts';
import {
  baseAddress,
  DEFAULT_EMAIL_DOMAIN,
  type Inputs,
  inputShape,
  variableOf,
  wanted,
} from '../conformance/inputs.ts';
import { parseBaseline } from '../conformance/result/baseline.ts';
import {
  fileToWrite,
  inputFile,
  isSet,
  made,
  notOneOf,
  option,
  type Option,
  path,
  resultFile,
  type ValuesOf,
  type Way,
  wholeNumber,
  word,
} from './option.ts';

/** The file that is used without being named. */
export const DEFAULT_CONFIGURATION = 'conformance.yaml';

/** A setting that is an input of the suite. */
function input<S extends z.ZodType>(name: keyof Inputs, flag: string, schema: S, more: Way = {}) {
  return option(flag, schema, schema.description ?? '', { variable: variableOf(name), ...more });
}

const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '');

/** A setting that names the file of a key, and gives the key. Its variable has the key itself. */
function keyFile(name: 'adminKey' | 'restrictedKey', flag: string) {
  const key = inputShape[name];
  const schema = inputFile.transform(({ text }) => withoutNewline(text)).pipe(key);
  const variableSchema = z.string().transform(withoutNewline).pipe(key);
  const about = `a file with ${key.description ?? ''}; the variable has the key itself`;
  return option(flag, schema, about, { variable: variableOf(name), variableSchema });
}

const NO_PEM = 'the file has no certificate in PEM ("-----BEGIN CERTIFICATE-----").';
function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}
const certificates = inputFile.transform(({ text }) => text).refine(isCertificate, NO_PEM);

function jsonValuesFrom([text = '']: readonly string[]): unknown {
  const whole = parsedJson(text);
  return Array.isArray(whole) ? whole : (parsedJson(`[${text}]`) ?? text);
}

const NAME = wanted('an id, or a glob such as update-*');
const names = z.array(z.string(NAME).regex(/^\s*[^,\s][^,]*$/, NAME), wanted('a list such as [update-name]'));
const namesFrom = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',').map((each) => each.trim()));

/** The formats of the reports that a run writes to files. */
export const REPORT_FORMATS = ['json', 'junit', 'html', 'markdown'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const PATHS = wanted('formats with paths, such as { json: result.json }');
const reports = z.partialRecord(word(REPORT_FORMATS), fileToWrite, {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? notOneOf(issue.keys[0], REPORT_FORMATS) : PATHS.error(issue),
});

function reportsFrom(texts: readonly string[]): Record<string, string> {
  const given = texts.map((text) => {
    const [, format = '', file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    if (file === undefined) throw new UsageError(`--report ${text}: write FORMAT=PATH, for example json=result.json.`);
    return [format, file] as const;
  });
  const formats = given.map(([format]) => format);
  const twice = formats.find((format, index) => formats.indexOf(format) < index);
  if (twice !== undefined) throw new UsageError(`--report: ${twice} is given twice; one file is enough.`);
  return Object.fromEntries(given);
}

const baseline = made(path, (file) => ({ file, entries: parseBaseline(file, readGivenFile(file, 1, '')) }));

const openResult = resultFile.refine(
  ({ result: { checks, findings } }) =>
    findings.length > 0 || checks.some(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive'),
  'nothing failed or was inconclusive in this result.',
);

const MOST_MS = 86_400_000;
const flagOnly = true;
const NAMES = { repeatable: true, fromTexts: namesFrom } as const;
const REPORTS = { repeatable: true, fromTexts: reportsFrom } as const;
const { baseUrl, userId, otherUserId, missingUserId, roleIds, bannerIds, emailDomain } = inputShape;

const target = {
  baseUrl: input('baseUrl', 'BASE_URL', baseUrl),
  adminKeyFile: keyFile('adminKey', '--admin-key-file FILE'),
  restrictedKeyFile: keyFile('restrictedKey', '--restricted-key-file FILE'),
  userId: input('userId', '--user-id ID', userId),
  otherUserId: input('otherUserId', '--other-user-id ID', otherUserId),
  missingUserId: input('missingUserId', '--missing-user-id ID', missingUserId),
  roleIds: input('roleIds', '--role-ids 1,2', roleIds, { fromTexts: jsonValuesFrom }),
  bannerIds: input('bannerIds', '--banner-ids 1,2', bannerIds, { fromTexts: jsonValuesFrom }),
  emailDomain: input('emailDomain', '--email-domain DOMAIN', emailDomain, { default: DEFAULT_EMAIL_DOMAIN }),
  ca: option('--ca FILE', certificates, "PEM certificates to trust in addition to Node's"),
  insecure: option('--insecure', isSet, 'trust every certificate; anyone on the network path can read the keys'),
  reference: option('--reference', isSet, 'judge the embedded reference server, on a free port'),
};

const ONLY = 'judge only these: ids or globs of checks, requirements, areas or levels';
const selection = {
  only: option('--only A,B', names, ONLY, NAMES),
  skip: option('--skip A,B', names, 'skip these', NAMES),
  again: option('--again RESULT', openResult, 'rerun what failed or was inconclusive in an earlier result', {
    flagOnly,
  }),
  failOn: option('--fail-on must|should', word(LEVELS), 'the lowest level that fails the run', { default: 'must' }),
  baseline: option('--baseline FILE', baseline, 'known failures, from "baseline write"'),
};

const output = {
  format: option('--format pretty|json', word(['pretty', 'json']), 'what to print on stdout', { default: 'pretty' }),
  reports: option('--report FORMAT=PATH', reports, `also write a report: ${REPORT_FORMATS.join(', ')}`, REPORTS),
  journal: option('--journal FILE', fileToWrite, "keeps the users' values until restored"),
  quiet: option('--quiet, -q', isSet, 'print one line for the verdict and one for each finding'),
  verbose: option('--verbose, -v', isSet, 'print the whole report'),
  trace: option('--trace', isSet, 'print every exchange on stderr as it happens, without the keys'),
};

const limits = {
  wait: option('--wait SECONDS', wholeNumber(1, 86_400), 'wait up to SECONDS for the target'),
  timeout: option('--timeout MS', wholeNumber(1, MOST_MS), 'milliseconds for a whole request', { default: 10_000 }),
  deadline: option('--deadline MS', wholeNumber(1, MOST_MS), 'milliseconds for the whole run', { default: 300_000 }),
};

const CONFIG = `YAML or JSON with the settings above; by default ${DEFAULT_CONFIGURATION}, if it exists. Flags override environment variables; both override the file`;
const file = {
  config: option('--config FILE', inputFile, CONFIG, { variable: 'CONFORMANCE_CONFIG', flagOnly }),
};

/** Every setting below a heading. */
export const SETTING_GROUPS = {
  Target: target,
  'Selection and verdict': selection,
  Output: output,
  Limits: limits,
  'Configuration file': file,
};

/** Every setting, by its name in a configuration file: flags, variables, help and the schema of the file are made of it. */
export const settings = { ...target, ...selection, ...output, ...limits, ...file };

/** The name of a setting in a configuration file. */
export type SettingName = keyof typeof settings;

/** What the settings of a command say; of a file with a key, the key. */
export type Values = ValuesOf<typeof settings>;

/** The names of all settings, in the order in which they are shown. */
export const SETTING_NAMES = Object.keys(settings) as SettingName[];

/** The settings of a configuration file. */
export const FILE_SETTINGS = SETTING_NAMES.filter((name) => !settings[name].flagOnly);

/** The settings that say what the target is, each with a variable. */
export const TARGET_SETTINGS = FILE_SETTINGS.filter((name) => settings[name].variable !== undefined);

/** An object in a file that has some of the settings. */
export function objectOf(known: readonly SettingName[]) {
  const described = known.map((name) => {
    const { schema, about, default: fallback }: Option = settings[name];
    const description = `${capitalized(about)}.`;
    return [name, schema.meta({ description, ...(fallback !== undefined && { default: fallback }) })] as const;
  });
  const $schema = z.string().describe('Where this schema is, for editors.');
  const error = (issue: z.core.$ZodRawIssue): string =>
    issue.code === 'unrecognized_keys'
      ? `there is no such setting.${hint(issue.keys[0] ?? '', known)}`
      : 'here must be an object of settings, such as "userId: 4".';
  return z.strictObject({ $schema, ...Object.fromEntries(described) }, { error }).partial();
}

/** The JSON Schema of a configuration file. */
export function configurationSchema(): object {
  return {
    title: 'Configuration of admin-api-conformance',
    description:
      `The settings in ${DEFAULT_CONFIGURATION}, as YAML or JSON. Flags override environment variables; both override the file. ` +
      'Relative paths are relative to the folder of the file. Keys do not belong in it.',
    ...z.toJSONSchema(objectOf(FILE_SETTINGS), { io: 'input' }),
  };
}

/** The value of an input as the text of its variable. */
function variableText(value: unknown): string {
  if (value instanceof URL) return baseAddress(value);
  return Array.isArray(value) ? JSON.stringify(value).slice(1, -1) || '[]' : String(value);
}

/** The environment variables that say the same of a target as these inputs. What is a default is left out. */
export function environmentOf({ emailDomain: domain, ...others }: Partial<Inputs>): Record<string, string> {
  const inputs = { ...others, ...(domain !== DEFAULT_EMAIL_DOMAIN && { emailDomain: domain }) };
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [variableOf(name as keyof Inputs), variableText(value)]));
}
