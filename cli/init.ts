import { existsSync } from 'node:fs';
import { UsageError } from '../common/process/args.ts';
import { outputFile, writeOutput } from '../common/process/files.ts';
import { capitalized } from '../common/text.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { type Command, programName, wrapped } from './command.ts';
import { DEFAULT_CONFIGURATION, settings } from './settings.ts';

/** The settings that checks need, each with an example in YAML. */
const NEEDED = {
  baseUrl: 'http://localhost:4242',
  userId: '4',
  otherUserId: '5',
  missingUserId: '404404',
  roleIds: '[1, 2]',
  bannerIds: '[1, 2, 3]',
};

/** The text of a configuration file: what checks need, each as a comment but for the address, so the file is valid as it is. */
export function configurationText(baseUrl?: URL): string {
  const lines = Object.entries(NEEDED).map(([name, example]) => {
    const comment = wrapped(`${capitalized(settings[name as keyof typeof NEEDED].about)}.`, 100, '# ');
    if (name === 'baseUrl' && baseUrl) return `${comment}\nbaseUrl: ${baseAddress(baseUrl)}`;
    return `${comment}\n# ${name}: ${example}`;
  });
  return `# Configuration of admin-api-conformance: remove a leading # and write your value.
# Flags override environment variables; both override this file. "run --help" shows the other settings.
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/cli/config.schema.json

${lines.join('\n\n')}
`;
}

const OPTIONS = { baseUrl: settings.baseUrl };

/** `init`: writes a commented configuration file. */
export const command: Command<typeof OPTIONS> = {
  about: `Writes a commented configuration file (${DEFAULT_CONFIGURATION}) for run and restore.`,
  options: OPTIONS,
  exitCodes: '0 written, 2 usage.',
  run: ({ baseUrl }, { out, environment }) => {
    if (existsSync(DEFAULT_CONFIGURATION))
      throw new UsageError(`init: ${DEFAULT_CONFIGURATION} already exists; remove it to get a new one.`);
    writeOutput(outputFile(DEFAULT_CONFIGURATION), configurationText(baseUrl));
    out.write(`Wrote ${DEFAULT_CONFIGURATION}. Next:
  1. Fill in what is missing, and set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY.
  2. ${programName(environment)} run
`);
    return 0;
  },
};
