import { existsSync } from 'node:fs';
import { stringify } from 'yaml';
import { UsageError } from '../common/process/args.ts';
import { outputFile, writeOutput } from '../common/process/files.ts';
import { capitalized } from '../common/text.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { type Command, programName, wrapped } from './command.ts';
import { flagsOf, type Options } from './option.ts';
import { DEFAULT_CONFIGURATION, SETTING_GROUPS, settings } from './settings.ts';

/**
 * The text of a configuration file: every setting with its meaning, each as a comment but for the address, so the file is valid as
 * it is.
 */
export function configurationText(baseUrl?: string): string {
  const groups = Object.entries(SETTING_GROUPS).map(([title, options]: [string, Options]) => {
    const own = Object.entries(options).filter(([, { flagOnly }]) => !flagOnly);
    if (own.length === 0) return '';
    const texts = own.map(([name, { about, example, default: fallback, isNeeded }]) => {
      const comment = wrapped(`${capitalized(about)}.`, 100, '# ');
      if (name === 'baseUrl' && baseUrl !== undefined) return `${comment}\nbaseUrl: ${baseUrl}`;
      const value = stringify(example ?? fallback, { collectionStyle: 'flow', flowCollectionPadding: false });
      return `${comment}\n# ${name}: ${value.trimEnd()}${isNeeded ? '   # FILL IN' : ''}`;
    });
    return `\n# --- ${title}\n\n${texts.join('\n\n')}\n`;
  });
  return `# Configuration of admin-api-conformance. Flags override environment variables; both override this file.
# Some checks need the settings marked FILL IN: remove the leading # and write your value.
# Completion in an editor:
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/cli/config.schema.json
${groups.join('')}`;
}

/** `init`: writes a commented configuration file. */
export const command: Command = {
  usage: 'init [BASE_URL]',
  about: `Writes a commented configuration file (${DEFAULT_CONFIGURATION}) for run and restore.`,
  exitCodes: '0 written, 2 usage.',
  positionals: [0, 1],
  run: ({ positionals: [address] }, { out, environment }) => {
    const { baseUrl } = flagsOf({ baseUrl: settings.baseUrl }, { values: { BASE_URL: address } });
    if (existsSync(DEFAULT_CONFIGURATION))
      throw new UsageError(`init: ${DEFAULT_CONFIGURATION} already exists; remove it to get a new one.`);
    writeOutput(outputFile(DEFAULT_CONFIGURATION), configurationText(baseUrl && baseAddress(baseUrl)));
    out.write(`Wrote ${DEFAULT_CONFIGURATION}. Next:
  1. Fill in what is missing, and set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY.
  2. ${programName(environment)} run
`);
    return 0;
  },
};
