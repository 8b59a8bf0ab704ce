import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type CliResult, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { packInto } from '../support/package.ts';
import { environmentFor, withServer } from '../support/target.ts';

const repository = resolve(import.meta.dirname, '../..');
const file = join(repository, 'Dockerfile');

const text = readFileSync(file, 'utf8').replaceAll(/^#.*\n|\\\n/gm, '');
/** The instructions of each stage. */
const stages = text
  .split(/^(?=FROM )/m)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', value = '']) => ({ name, value })));
const [install = [], image = []] = stages;
const valueOf = (wanted: string): string => image.findLast(({ name }) => name === wanted)?.value ?? '';
const commands = stages.flat().flatMap(({ name, value }) => (name === 'RUN' ? [value] : []));

describe('the Dockerfile', () => {
  it('has a user that is not root, by number, and a volume for the journals', () => {
    expect(valueOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(valueOf('VOLUME')).toBe('/tmp');
    expect(image.map(({ name }) => name).indexOf('USER')).toBeGreaterThan(
      image.findLastIndex(({ name }) => name === 'RUN'),
    );
  });

  it('needs no network but npm, and runs no script of a package', () => {
    expect(commands.join('\n')).not.toMatch(/\b(apk|apt|apt-get|curl|wget|git|npx)\b/);
    const installing = commands.filter((command) => command.includes('npm'));
    expect(installing).not.toEqual([]);
    for (const command of installing) expect(command).toContain('--ignore-scripts');
    expect(stages.flat().map(({ name }) => name)).not.toContain('ADD');
    expect(stages.flat().map(({ name }) => name)).not.toContain('ARG');
  });

  it('gives hadolint no reason to complain', async ({ skip }) => {
    const { code, stdout, stderr } = await execute('hadolint', [file]);
    skip(Number.isNaN(code), 'hadolint is not installed');
    expect(stdout + stderr).toBe('');
  });
});

describe('what the Dockerfile installs, without a container', () => {
  const folder = temporaryFolder();
  /** Where the root of the image is. */
  const root = folder.at('root');
  const inRoot = (text: string): string => text.replaceAll(/(?<= |^)\/(suite|usr|work)\b/g, `${root}/$1`);

  function perform(instructions: typeof install, tarball: string): void {
    for (const { name, value } of instructions) {
      if (name === 'WORKDIR') mkdirSync(inRoot(value), { recursive: true });
      if (name === 'COPY' && !value.startsWith('--from=')) execFileSync('cp', [tarball, inRoot('/suite')]);
      if (name === 'RUN') execFileSync('sh', ['-c', inRoot(value)], { cwd: inRoot('/suite'), stdio: 'ignore' });
    }
  }

  /** Runs the entry point as a user who may write nowhere but in the volume. */
  function inImage(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<CliResult> {
    const [uid, gid] = valueOf('USER').split(':').map(Number);
    const isRoot = process.getuid?.() === 0;
    const [command = ''] = JSON.parse(valueOf('ENTRYPOINT')) as string[];
    const path = [inRoot('/usr/local/bin'), dirname(process.execPath)].join(delimiter);
    const env = { PATH: path, TMPDIR: folder.at('tmp'), HOME: '/nonexistent', ...environment };
    return execute(join(inRoot('/usr/local/bin'), command), args, {
      cwd: inRoot('/work'),
      env,
      ...(isRoot && uid !== undefined && gid !== undefined && { uid, gid }),
    });
  }

  beforeAll(() => {
    chmodSync(folder.path, 0o755);
    mkdirSync(folder.at('tmp'));
    chmodSync(folder.at('tmp'), 0o1777);
    mkdirSync(inRoot('/usr/local/bin'), { recursive: true });
    const { tarball } = packInto(folder.path);
    perform(install, tarball);
    perform(image, tarball);
    execFileSync('chmod', ['-R', 'a-w', root]);
  });

  // Only root removes what nobody may write to.
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', root]);
  });

  it('has the package and its dependencies only', () => {
    expect(readdirSync(inRoot('/suite')).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });

  it('shows its help', async () => {
    expect(await inImage(JSON.parse(valueOf('CMD')) as string[])).toMatchObject({ code: 0, stderr: '' });
  });

  it('judges, explores, and keeps nothing', async () => {
    const { stdout } = await succeeds(
      withServer({}, (server) => inImage(['run', '--quiet', '--explore=1'], environmentFor(server))),
    );
    expect(stdout).toMatch(/^passed /);
    const left = readdirSync(folder.at('tmp'), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => !entry.isDirectory())).toEqual([]);
  });

  it('says where it may not write', async () => {
    const args = ['run', '--reference', '--journal', 'journal.json'];
    expect(await inImage(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('journal.json') as string,
    });
  });
});
