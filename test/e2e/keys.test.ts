import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { REPORT_FORMATS } from '../../cli/settings.ts';
import type { Result } from '../../conformance/result/result.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { createService, toApiRequest } from '../../reference-server/service.ts';
import { encodings } from '../http/encodings.ts';
import { cli } from '../support/cli.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts';
import { environmentOf } from '../../cli/settings.ts';

const folder = temporaryFolder();

const KEYS = { admin: 'S3cret+Admin/Key-01="<&zQ7w', restricted: 'Rstr1cted~Key?02_mN5x' };
const seed = { ...defaultSeed, keys: KEYS };
const forms = Object.values(KEYS).flatMap((key) => Object.values(encodings).map((encode) => encode(key)));
/** What a response header can carry. */
const inHeader = (form: string): boolean => /^[ -~]+$/.test(form);

/** A response as the hostile server changes it; `form` is a key in some encoding, another one each time. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
type Place = (answer: Answer, form: string, number: number) => Partial<Answer>;

const isSuccess = ({ status }: Answer): boolean => status === 200;
const members = (answer: Answer, more: object): Partial<Answer> => ({ body: { ...(answer.body as object), ...more } });
const headers = (answer: Answer, more: Record<string, string>): Partial<Answer> => ({
  headers: { ...answer.headers, ...more },
});

const PLACES: Readonly<Record<string, Place>> = {
  'the name of a user': (answer, form) => (isSuccess(answer) ? members(answer, { name: form }) : {}),
  'a long name, where it is cut': (answer, form, number) =>
    isSuccess(answer) ? members(answer, { name: 'x'.repeat(number % 90) + form }) : {},
  'what no update sends': (answer, form) =>
    isSuccess(answer) ? members(answer, { username: form, accountType: form, inviteLink: form, createdAt: form }) : {},
  'a banner': (answer, form) => {
    const { banners } = answer.body as { banners?: object[] };
    return banners
      ? { body: { banners: banners.map((each) => ({ ...each, link: form, variant: form, icon: form })) } }
      : {};
  },
  'names of members': (answer, form) => members(answer, { [form]: { [form]: [form] } }),
  'an error': (answer, form) => (isSuccess(answer) ? {} : { body: { id: form, name: form, message: `at ${form}` } }),
  'every field of the header': (answer, form) =>
    headers(answer, { 'x-echo': form, 'www-authenticate': `Key ${form}`, 'set-cookie': `key=${form}`, etag: form }),
  'a redirect': (answer, form) => ({ ...headers(answer, { location: `http://127.0.0.1:9/${form}` }), status: 307 }),
  'the media type': (answer, form) => headers(answer, { 'content-type': `text/${form}` }),
  'the content coding': (answer, form) => headers(answer, { 'content-encoding': form }),
  'what is no JSON': (_answer, form) => ({ body: undefined, headers: { 'content-type': 'text/html', 'x-body': form } }),
};

/** A server that puts a key into its responses, at one place, in every encoding in turn. */
async function withEcho(place: Place, use: (url: string) => Promise<void>): Promise<void> {
  const { handle } = createService({ seed });
  let number = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const { method = '', url = '' } = request;
        const { status, body } = await handle(toApiRequest(method, url, request.headers, Buffer.concat(chunks)));
        const form = forms[(number += 1) % forms.length] ?? '';
        const answer: Answer = { status, body, headers: { 'content-type': 'application/json' } };
        const changed = { ...answer, ...place(answer, form, number) };
        const fields = Object.entries(changed.headers).filter(([name, value]) => name !== 'x-body' && inHeader(value));
        response.writeHead(changed.status, Object.fromEntries(fields));
        response.end(changed.body === undefined ? `<p>${form}</p>` : JSON.stringify(changed.body));
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The parts of forms of keys that a text shows, of which each has most of the key. */
function shownIn(text: string): string[] {
  const parts = forms.flatMap((form) => {
    const most = Math.ceil(form.length * 0.6);
    return [form.slice(0, most), form.slice(-most)];
  });
  return [...new Set([...parts, ...parts.map((part) => JSON.stringify(part).slice(1, -1))])].filter((part) =>
    text.includes(part),
  );
}

/** All files of a folder and the folders in it, as one text. */
function filesOf({ path, at }: TemporaryFolder): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.map((each) => readFileSync(`${each.parentPath}/${each.name}`, 'utf8')).join(at(''));
}

it.each(Object.entries(PLACES))(
  'A key in %s is in nothing that a run leaves',
  async (_where, place) => {
    await withEcho(place, async (url) => {
      const own = folder.fresh();
      const environment = {
        ...environmentOf({ ...inputsFor(url, seed) }),
        ...{ TMPDIR: own.at(), GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: own.at('summary.md') },
      };
      const said: string[] = [];
      const say = async (...args: readonly string[]): Promise<void> => {
        const { stdout, stderr } = await cli(args, environment);
        said.push(stdout, stderr);
      };
      const limits = ['--deadline', '20000', '--fail-on', 'should'];
      const reports = REPORT_FORMATS.flatMap((format) => ['--report', `${format}=${own.at(`report.${format}`)}`]);
      const journal = own.at('journal.json');
      await say('run', url, '--verbose', '--journal', journal, ...limits, ...reports);
      const result = own.at('report.json');
      const { findings } = JSON.parse(readFileSync(result, 'utf8')) as Result;
      for (const format of ['pretty', ...REPORT_FORMATS]) await say('render', result, '--format', format);
      await say('baseline', 'write', result, '--reason', 'x', '--output', own.at('baseline.json'));
      await say('compare', result, result);
      for (const { id } of findings.slice(0, 3)) await say('explain', id);
      const targets = own.write(
        'targets.json',
        JSON.stringify({
          targets: [{ name: 'a', baseUrl: url, adminKeyFile: 'admin', restrictedKeyFile: 'restricted' }],
        }),
      );
      for (const [name, key] of Object.entries(KEYS)) own.write(name, key);
      await say('run', '--targets', targets, '--output', own.at('matrix'), ...limits);
      for (const name of [...Object.keys(KEYS), 'targets.json']) rmSync(own.at(name));
      expect(shownIn([...said, filesOf(own)].join('\n'))).toEqual([]);
    });
  },
  60_000,
);
