import { describe, expect, it } from 'vitest';
import { environmentOf, exportLines, parseTarget } from '../../cli/input/settings.ts';
import type { Result } from '../../conformance/result/result.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { called, defects, variants } from '../../proof/catalogue.ts';
import { levelOf } from '../../proof/judging.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { COMMAND, cli, execute, startCli, succeeds } from '../support/cli.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

/** Runs the suite in a shell that has read these lines, as an operator would. */
async function runAfter(lines: string, args: readonly string[]) {
  const command = `${lines}\nexec "$0" "$@"`;
  const argv = ['-c', command, ...COMMAND, 'run', '--format', 'json', ...args];
  const { code, stdout } = await execute('sh', argv);
  return { code, result: JSON.parse(stdout) as Result };
}

/** Serves one server of the proof, judges it with what was printed and nothing else, and stops it. */
async function served(kind: 'defect' | 'variant', id: string, ...args: string[]) {
  const running = startCli(['serve', `--${kind}`, id]);
  try {
    await running.line(new RegExp(`^${kind} \\S+ on http:`));
    const run = await runAfter(running.stdout(), args);
    running.process.kill('SIGTERM');
    const { stdout, stderr } = await succeeds(running.ended);
    return { stdout, stderr, run };
  } finally {
    running.process.kill('SIGKILL');
  }
}

function failuresOf({ checks }: Result): Record<string, string> {
  return Object.fromEntries(checks.flatMap(({ id, failure }) => (failure ? [[id, failure.mode]] : [])));
}

describe('serve --defect', () => {
  it('starts a server that fails the check that it names, judged with the printed lines', async () => {
    const defect = called(defects, 'update-open-without-key');
    const { stdout, stderr, run } = await served('defect', defect.id);
    expect(run.code).toBe(1);
    expect(run.result.verdict).toBe('failed');
    expect(failuresOf(run.result)).toMatchObject(defect.killedBy);
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^export CONFORMANCE_\w+=/);
    const [title, breaks, killedBy, judge] = stderr.split('\n');
    expect(title).toBe(defect.title);
    expect(breaks).toBe('breaks: auth.key-required');
    expect(killedBy).toMatch(/^killed by: .*\bauth-update-no-header \(accepted\)/);
    expect(judge).toBe('judge it: admin-api-conformance run');
  });

  it('says at which level a run must fail on what only should hold', async () => {
    const defect = defects.find((each) => levelOf(each) === 'should') ?? expect.fail();
    const { stderr, run } = await served('defect', defect.id, '--fail-on', 'should');
    expect(stderr).toContain('judge it: admin-api-conformance run --fail-on should\n');
    expect(run.code).toBe(1);
    expect(failuresOf(run.result)).toMatchObject(defect.killedBy);
  });

  it('takes the port and the host, and says if the port is in use', async () => {
    const running = startCli(['serve', '--defect', 'update-open-without-key', '--host', '127.0.0.1', '--port', '0']);
    try {
      const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(await running.line(/ on http:/)) ?? [];
      for (const server of ['--defect=update-open-without-key', '--variant=framing-chunks']) {
        const { code, stderr } = await cli(['serve', server, '--port', port]);
        expect(stderr).toMatch(/^admin-api-conformance: Cannot listen on .*: the port is in use/);
        expect(code).toBe(2);
      }
    } finally {
      running.process.kill('SIGKILL');
    }
  });
});

it('serve takes its users and keys from a file, and warns that other machines can reach it', async () => {
  const keys = { admin: 'a dmin', restricted: 'r' };
  const data = folder.write('data.json', JSON.stringify({ keys, users: [{ id: 7, name: 'Seven' }], banners: [] }));
  const running = startCli(['serve', '--data', data, '--host', '0.0.0.0', '--port', '0']);
  await running.line(/ on http:/);
  running.process.kill('SIGTERM');
  const { stdout, stderr } = await succeeds(running.ended);
  expect(stderr).toContain('whoever reaches this machine can use the keys');
  expect(stdout).toContain("CONFORMANCE_ADMIN_KEY='a dmin'");
  expect(stdout).toContain('CONFORMANCE_USER_ID=7');
});

describe('the printed lines', () => {
  it('say the same as the inputs of every server of the proof, but for a list that is empty', () => {
    for (const { behaviour, inputs: own } of [...defects, ...variants]) {
      const inputs = inputsFor('http://localhost', behaviour.seed ?? defaultSeed, own);
      const { baseUrl, bannerIds = [], ...rest } = inputs;
      const expected = { ...rest, ...(bannerIds.length > 0 ? { bannerIds } : {}) };
      const environment = environmentOf(inputs);
      expect(environment.CONFORMANCE_BASE_URL).toBe(baseUrl.origin);
      expect(parseTarget({ values: {}, positionals: [] }, environment)).toEqual(expected);
    }
  });

  it('are quoted for a shell', () => {
    expect(exportLines({ A: '1,2', B: `it's "so" $HOME`, C: 'http://h/%C3', D: 'a b' })).toEqual([
      'export A=1,2',
      `export B='it'\\''s "so" $HOME'`,
      'export C=http://h/%C3',
      `export D='a b'`,
    ]);
  });
});

describe('list', () => {
  it.each([
    ['defects', defects.map(({ id, title, breaks, killedBy }) => ({ id, title, breaks, killedBy }))],
    ['variants', variants.map(({ id, title, about, inconclusive = {} }) => ({ id, title, about, inconclusive }))],
  ])('names all %s, and as JSON what the proof says of them', async (what, expected) => {
    const { stdout } = await succeeds(cli(['list', `--${what}`, '--format', 'json']));
    expect(JSON.parse(stdout)).toEqual({ [what]: expected });
    const lines = (await cli(['list', `--${what}`])).stdout.split('\n');
    for (const { id } of expected) expect(lines).toContain(id);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.at(-2)).toBe(`${expected.length} ${what}`);
  });

  it('shows both if it is asked for both, and neither if not', async () => {
    const both = JSON.parse((await cli(['list', '--defects', '--variants', '--format', 'json'])).stdout) as object;
    expect(Object.keys(both)).toEqual(['defects', 'variants']);
    const plain = JSON.parse((await cli(['list', '--format', 'json'])).stdout) as Record<string, { id: string }[]>;
    expect(Object.keys(plain)).toEqual(['requirements', 'checks', 'openPoints']);
    const pretty = (await cli(['list'])).stdout;
    for (const { id } of [...(plain.requirements ?? []), ...(plain.checks ?? [])]) expect(pretty).toContain(id);
    for (const line of pretty.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('explain', () => {
  it('names for a check the defects that it kills, at most eight', async () => {
    const { stdout } = await cli(['explain', 'auth-update-no-header']);
    const killers = defects.filter(({ killedBy }) => 'auth-update-no-header' in killedBy);
    for (const { id } of killers.slice(0, 8)) expect(stdout).toContain(`  ${id}: `);
    for (const { id } of killers.slice(8)) expect(stdout).not.toContain(`  ${id}: `);
    expect(stdout).toContain(`  and ${killers.length - 8} more\n`);
  });

  const belonging = casesBeside(import.meta.url) as Readonly<Record<string, readonly string[]>>;

  it.each(Object.entries(belonging))('shows what belongs to %s', async (id, texts) => {
    const { stdout } = await succeeds(cli(['explain', id]));
    for (const text of texts) expect(stdout).toContain(text);
  });
});
