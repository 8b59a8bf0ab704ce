import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { UsageError } from '../common/process/args.ts';
import { writeOutput } from '../common/process/output-file.ts';
import { capitalized, groupedBy } from '../common/text.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { type Command, programName, wrapped } from './command.ts';
import { collectSettings, environmentSource, flagSource, valuesOf } from './configuration.ts';
import { isSet, option } from './option.ts';
import {
  DEFAULT_CONFIGURATION,
  FILE_SETTINGS,
  type SettingName,
  settings,
  settingsOf,
  TARGET_SETTINGS,
  wayOf,
} from './settings.ts';

/** A value as YAML; an address and an id need no quotes. */
function yamlText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  const isPlain = typeof value === 'string' && /^(https?:[\w/.:-]+|-?\d+|[a-z][\w./-]*)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/**
 * The text of a configuration file: every setting with what it is. A setting without a value stands there as a comment, so that
 * the file is valid as it is.
 */
export function configurationText(given: Readonly<Record<string, unknown>>): string {
  const groups = groupedBy(FILE_SETTINGS, (name) => wayOf(name).group ?? '').map(([title, names]) => {
    const texts = names.map((name) => {
      const { example, default: fallback, isNeeded } = wayOf(name);
      const comment = wrapped(`${capitalized(settings[name].description ?? '')}.`, 100, '# ');
      if (given[name] !== undefined) return `${comment}\n${name}: ${yamlText(given[name])}`;
      return `${comment}\n# ${name}: ${yamlText(example ?? fallback)}${isNeeded ? '   # FILL IN' : ''}`;
    });
    return `\n# --- ${title}\n\n${texts.join('\n\n')}\n`;
  });
  return `# Configuration of admin-api-conformance. Flags override environment variables; both override this file.
# Some checks need the settings marked FILL IN: remove the leading # and write your value.
# Completion in an editor:
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/cli/config.schema.json
${groups.join('')}`;
}

const FORCE = { force: option('--force', isSet, 'overwrite an existing file') };

/** `init`: writes a commented configuration file. */
export const command: Command = {
  usage: 'init [BASE_URL] [FILE]',
  about: `Writes a commented configuration file (${DEFAULT_CONFIGURATION}) for run and
restore, with what the arguments and the environment say of the target. Keys are
never written.`,
  options: { ...settingsOf(TARGET_SETTINGS), ...FORCE },
  exitCodes: '0 written, 2 usage.',
  positionals: [0, 2],
  run: (parsed, { out, environment }) => {
    const { positionals } = parsed;
    const isAddress = (text: string): boolean => /^https?:/i.test(text);
    const address = positionals.find(isAddress);
    const [file = DEFAULT_CONFIGURATION, other] = positionals.filter((text) => text !== address);
    if (other !== undefined) throw new UsageError(`${JSON.stringify(other)} is one argument too many.`);
    if (!/\.ya?ml$/i.test(file))
      throw new UsageError(
        `init: ${JSON.stringify(file)} is neither an address, such as http://localhost:4242, nor a file that ends in .yaml.`,
      );
    if (existsSync(file) && !valuesOf(FORCE, parsed).force)
      throw new UsageError(`init: ${file} already exists; --force overwrites it.`);
    const flags = flagSource(parsed, settingsOf(TARGET_SETTINGS), address);
    const { values } = collectSettings(TARGET_SETTINGS, [flags, environmentSource(environment, TARGET_SETTINGS)]);
    const valueOf = (name: SettingName): unknown => {
      if (name === 'baseUrl') return values.baseUrl && baseAddress(values.baseUrl);
      if (!wayOf(name).isPath) return values[name];
      // The path, and not the key that is read from it.
      const path = flags.data[name];
      return typeof path !== 'string' || isAbsolute(path) ? path : relative(dirname(file), path);
    };
    const given = Object.fromEntries(TARGET_SETTINGS.map((name) => [name, valueOf(name)]));
    writeOutput({ given: `init ${file}`, path: file }, configurationText(given));
    const flag = file === DEFAULT_CONFIGURATION ? '' : ` --config ${file}`;
    out.write(`Wrote ${file}. Next:
  1. Fill in what is missing, and set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY.
  2. ${programName(environment)} run${flag}
`);
    return 0;
  },
};
