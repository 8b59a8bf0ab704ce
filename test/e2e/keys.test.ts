import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { environmentOf, REPORT_FORMATS } from '../../cli/settings.ts';
import { using } from '../../common/using.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { type Behaviour, inputsFor, startBehaviour } from '../../proof/servers/behaviour.ts';
import { pagesAsHtml } from '../../proof/servers/responses.ts';
import type { ApiResponse } from '../../reference-server/rules.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { encodings } from '../http/encodings.ts';
import { cli, succeeds } from '../support/cli.ts';
import { filesBelow, temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

const KEYS = { admin: 'S3cret+Admin/Key-01="<&zQ7w', restricted: 'Rstr1cted~Key?02_mN5x' };
const seed = { ...defaultSeed, keys: KEYS };
const forms = Object.values(KEYS).flatMap((key) => Object.values(encodings).map((encode) => encode(key)));
/** What a response header can carry. */
const inHeader = (form: string): boolean => /^[ -~]+$/.test(form);

/** Changes a response; `form` is a key in some encoding, another one each time. */
type Place = (answer: ApiResponse, form: string, number: number) => Partial<ApiResponse>;

const isSuccess = ({ status }: ApiResponse): boolean => status === 200;
const members = ({ body }: ApiResponse, more: object): Partial<ApiResponse> => ({
  body: { ...(body as object), ...more },
});

/** A user or banners with a key in members that no update sends. */
function withValues(answer: ApiResponse, form: string): Partial<ApiResponse> {
  const { banners } = answer.body as { banners?: object[] };
  if (!banners) return members(answer, { username: form, accountType: form, inviteLink: form, createdAt: form });
  return { body: { banners: banners.map((each) => ({ ...each, link: form, variant: form, icon: form })) } };
}

/** Of each place, one of these changes a response, in turn. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'the name of a user, whole or where it is cut': [
    (answer, form) => (isSuccess(answer) ? members(answer, { name: form }) : {}),
    (answer, form, number) => (isSuccess(answer) ? members(answer, { name: 'x'.repeat(number % 90) + form }) : {}),
  ],
  'names of members': [(answer, form) => members(answer, { [form]: { [form]: [form] } })],
  'what no update sends, in an error and in every field of the header': [
    (answer, form) => ({
      ...(isSuccess(answer) ? withValues(answer, form) : { body: { id: form, name: form, message: `at ${form}` } }),
      headers: { 'x-echo': form, 'www-authenticate': `Key ${form}`, 'set-cookie': `key=${form}`, etag: form },
    }),
  ],
  'a redirect, a media type, a content coding and what is no JSON': [
    (_answer, form) => ({ status: 307, headers: { location: `http://127.0.0.1:9/${form}` } }),
    (_answer, form) => ({ headers: { 'content-type': `text/${form}` } }),
    (_answer, form) => ({ headers: { 'content-encoding': form } }),
    (_answer, form) => ({ body: `<p>${form}</p>` }),
  ],
};

/** A server that puts a key into its responses, in every encoding in turn. */
function withEcho(places: readonly Place[], use: (url: string) => Promise<void>): Promise<void> {
  let number = 0;
  const around: Behaviour['around'] = (handle) => (request) => {
    const answer = handle(request);
    number += 1;
    const form = forms[number % forms.length] ?? '';
    const { headers = {}, ...changed } = places[number % places.length]?.(answer, form, number) ?? {};
    const fields = Object.entries(headers).filter(([, value]) => inHeader(value));
    return { ...answer, ...changed, headers: Object.fromEntries(fields) };
  };
  return using(startBehaviour({ seed, around, ...pagesAsHtml() }), ({ url }) => use(url));
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

it.each(Object.entries(PLACES))('A key in %s is in nothing that a run leaves', async (_where, places) => {
  await withEcho(places, async (url) => {
    const own = folder.fresh();
    const environment = {
      ...environmentOf(inputsFor(url, seed)),
      ...{ TMPDIR: own.at(), TEMP: own.at(), GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: own.at('summary.md') },
    };
    const said: string[] = [];
    const say = async (...args: readonly string[]): Promise<void> => {
      const { stdout, stderr } = await cli(args, environment);
      said.push(stdout, stderr);
    };
    const limits = ['--deadline', '20000', '--fail-on', 'should'];
    const reports = REPORT_FORMATS.flatMap((format) => ['--report', `${format}=${own.at(`report.${format}`)}`]);
    const journal = own.at('journal.json');
    await say('run', url, '--verbose', '--trace', '--journal', journal, ...limits, ...reports);
    const result = own.at('report.json');
    const { findings } = JSON.parse(readFileSync(result, 'utf8')) as Result;
    for (const format of ['pretty', ...REPORT_FORMATS]) await say('render', result, '--format', format);
    await say('baseline', 'write', result, '--reason', 'x', '--output', own.at('baseline.json'));
    await say('compare', result, result);
    for (const { id } of findings.slice(0, 3)) await say('explain', id);
    const left = filesBelow(own.path).map((path) => own.read(path));
    expect(shownIn([...said, ...left].join('\n'))).toEqual([]);
  });
});

it('the help shows all of its words, even if a key is one of them', async () => {
  const { stdout } = await succeeds(cli(['run', '--help'], { CONFORMANCE_ADMIN_KEY: 'admin-key' }));
  expect(stdout).toContain('--admin-key-file FILE');
  expect(stdout).not.toContain('withheld');
});
