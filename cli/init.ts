import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { UsageError } from '../common/process/args.ts';
import { capitalized } from '../common/text.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { type Command, programName, wrapped } from './command.ts';
import { environmentLayer, flagLayer, mergeLayers } from './configuration.ts';
import { writeOutput } from './output-file.ts';
import {
  DEFAULT_CONFIGURATION,
  descriptionOf,
  FILE_SETTINGS,
  GROUPS,
  type SettingName,
  TARGET_SETTINGS,
  wayOf,
} from './settings.ts';

/** A value as YAML; an address and an id need no quotes. */
function yamlText(value: unknown): string {
  if (value instanceof URL) return yamlText(baseAddress(value));
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  return typeof value === 'string' && /^(https?:[\w/.:-]+|-?\d+|[a-z][\w./-]*)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

/**
 * The text of a configuration file: every setting with what it is. A setting without a value stands there as a comment, so that
 * the file is valid as it is.
 */
export function configurationText(given: Readonly<Partial<Record<SettingName, unknown>>>): string {
  const isOpen = (name: SettingName): boolean => wayOf(name).isNeeded === true && given[name] === undefined;
  const textOf = (name: SettingName): string => {
    const comment = wrapped(`${capitalized(descriptionOf(name))}.`, 100, '# ');
    const { example, default: fallback } = wayOf(name);
    if (given[name] !== undefined) return `${comment}\n${name}: ${yamlText(given[name])}`;
    return `${comment}\n# ${name}: ${yamlText(example ?? fallback)}${isOpen(name) ? '   # FILL IN' : ''}`;
  };
  const groups = Object.entries(GROUPS)
    .map(([group, title]) => ({ title, names: FILE_SETTINGS.filter((name) => wayOf(name).group === group) }))
    .filter(({ names }) => names.length > 0)
    .map(({ title, names }) => [`# --- ${title}`, ...names.map(textOf)].join('\n\n'));
  const fillIn = 'Some checks need the settings marked FILL IN: remove the leading # and write your value.';
  return `# Configuration of admin-api-conformance. Flags override environment variables; both override this file.
# Completion in an editor:
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/cli/config.schema.json
${FILE_SETTINGS.some(isOpen) ? `#\n# ${fillIn}\n` : ''}
${groups.join('\n\n')}
`;
}

/** What is an address, and what is a file. @throws UsageError for what is neither, or given twice */
function sorted(positionals: readonly string[]): { readonly address: string | undefined; readonly file: string } {
  const isAddress = (text: string): boolean => /^https?:/i.test(text);
  const [address, otherAddress] = positionals.filter(isAddress);
  const [file = DEFAULT_CONFIGURATION, otherFile] = positionals.filter((text) => !isAddress(text));
  const superfluous = otherAddress ?? otherFile;
  if (superfluous !== undefined) throw new UsageError(`${JSON.stringify(superfluous)} is one argument too many.`);
  if (/\.json$/i.test(file))
    throw new UsageError(`init ${file}: the file has comments, so it is YAML; name a .yaml file.`);
  if (/\.ya?ml$/i.test(file)) return { address, file };
  throw new UsageError(
    `init: ${JSON.stringify(file)} is neither an address, such as http://localhost:4242, nor a file that ends in .yaml.`,
  );
}

/** `init`: writes a commented configuration file. */
export const command: Command = {
  usage: 'init',
  summary: 'write a commented configuration file',
  calls: ['init [BASE_URL] [FILE] [options]'],
  about: `Writes a commented configuration file (${DEFAULT_CONFIGURATION}) for run and
restore, with what the arguments and the environment say of the target. Keys are
never written.`,
  settings: TARGET_SETTINGS,
  options: [{ flag: '--force', meaning: 'overwrite an existing file' }],
  exitCodes: '0 written, 2 usage.',
  positionals: [0, 2],
  run: async (parsed, { out, environment }) => {
    const { address, file } = sorted(parsed.positionals);
    if (existsSync(file) && parsed.values.force !== true)
      throw new UsageError(`init: ${file} already exists; --force overwrites it.`);
    const { values } = mergeLayers(
      [flagLayer(parsed, TARGET_SETTINGS, address), environmentLayer(environment, TARGET_SETTINGS)],
      TARGET_SETTINGS,
    );
    const given = Object.entries(values).map(([name, value]) => {
      const isMoved = typeof value === 'string' && name.endsWith('File') && !isAbsolute(value);
      return [name, isMoved ? relative(dirname(file), value) : value] as const;
    });
    writeOutput({ given: `init ${file}`, path: file }, configurationText(Object.fromEntries(given)));
    const flag = file === DEFAULT_CONFIGURATION ? '' : ` --config ${file}`;
    out.write(`Wrote ${file}. Next:
  1. Fill in what is missing, and set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY.
  2. ${programName(environment)} run${flag}
`);
    return 0;
  },
};
