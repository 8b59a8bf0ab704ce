import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { UsageError } from '../common/process/args.ts';
import { writeOutput } from '../common/process/output-file.ts';
import { capitalized } from '../common/text.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { type Command, programName, wrapped } from './command.ts';
import { environmentLayer, flagLayer, mergeLayers } from './configuration.ts';
import { DEFAULT_CONFIGURATION, descriptionOf, FILE_SETTINGS, GROUPS, TARGET_SETTINGS, wayOf } from './settings.ts';

/** A value as YAML; an address and an id need no quotes. */
function yamlText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  const isPlain = typeof value === 'string' && /^(https?:[\w/.:-]+|-?\d+|[a-z][\w./-]*)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/**
 * The text of a configuration file: every setting with its meaning. A setting without a value is a comment, so the file is valid as
 * it is.
 */
export function configurationText(given: Readonly<Record<string, unknown>>): string {
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const texts = FILE_SETTINGS.filter((name) => wayOf(name).group === group).map((name) => {
      const { example, default: fallback, isNeeded } = wayOf(name);
      const comment = wrapped(`${capitalized(descriptionOf(name))}.`, 100, '# ');
      if (given[name] !== undefined) return `${comment}\n${name}: ${yamlText(given[name])}`;
      return `${comment}\n# ${name}: ${yamlText(example ?? fallback)}${isNeeded ? '   # FILL IN' : ''}`;
    });
    return texts.length === 0 ? '' : `\n# --- ${title}\n\n${texts.join('\n\n')}\n`;
  });
  return `# Configuration of admin-api-conformance. Flags override environment variables; both override this file.
# Some checks need the settings marked FILL IN: remove the leading # and write your value.
# Completion in an editor:
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/cli/config.schema.json
${groups.join('')}`;
}

/** `init`: writes a commented configuration file. */
export const command: Command = {
  usage: 'init [BASE_URL] [FILE]',
  about: `Writes a commented configuration file (${DEFAULT_CONFIGURATION}) for run and
restore, with what the arguments and the environment say of the target. Keys are
never written.`,
  settings: TARGET_SETTINGS,
  options: [{ flag: '--force', meaning: 'overwrite an existing file' }],
  exitCodes: '0 written, 2 usage.',
  positionals: [0, 2],
  run: ({ values: flags, positionals }, { out, environment }) => {
    const isAddress = (text: string): boolean => /^https?:/i.test(text);
    const address = positionals.find(isAddress);
    const [file = DEFAULT_CONFIGURATION, other] = positionals.filter((text) => text !== address);
    if (other !== undefined) throw new UsageError(`${JSON.stringify(other)} is one argument too many.`);
    if (!/\.ya?ml$/i.test(file))
      throw new UsageError(
        `init: ${JSON.stringify(file)} is neither an address, such as http://localhost:4242, nor a file that ends in .yaml.`,
      );
    if (existsSync(file) && flags.force !== true)
      throw new UsageError(`init: ${file} already exists; --force overwrites it.`);
    const layers = [flagLayer({ values: flags, positionals }, TARGET_SETTINGS, address)];
    const { values } = mergeLayers([...layers, environmentLayer(environment, TARGET_SETTINGS)], TARGET_SETTINGS);
    const given = Object.entries(values).map(([name, value]) => {
      if (value instanceof URL) return [name, baseAddress(value)] as const;
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
