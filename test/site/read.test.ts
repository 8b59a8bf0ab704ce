import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../common/process/args.ts';
import { counted } from '../../common/text.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Result } from '../../conformance/result/result.ts';
import { sitePages } from '../../site/pages.ts';
import { readSite } from '../../site/read.ts';
import { temporaryFolder } from '../support/folder.ts';
import { expectedKillMatrix } from '../support/kill-matrix.ts';
import { read, ROOT } from '../support/repository.ts';

const folder = temporaryFolder();

describe('what the site is made of', () => {
  const { defects, variants: proven, ...rest } = expectedKillMatrix();
  const [first, ...others] = proven;
  const matrix = (own: object): string => JSON.stringify({ ...rest, defects, variants: proven, ...own });
  const whole = matrix({});
  const failure = { ...first, problems: ['body-absent failed as accepted'] };
  const about = 'title: Mine\nlanguage: Go\n';

  it.each<[what: string, files: Readonly<Record<string, string>>, says: RegExp]>([
    ['no proof', {}, /proof\.json is missing: run "npm run prove" first \(about two minutes\)\.$/],
    [
      'the proof of another state',
      { 'proof.json': matrix({ defects: defects.slice(1) }) },
      /proof\.json does not fit the current suite: run "npm run prove" again /,
    ],
    [
      'a proof that does not hold',
      { 'proof.json': matrix({ variants: [failure, ...others] }) },
      /proof\.json: the proof does not hold: \S+: body-absent failed as accepted\.$/,
    ],
    [
      'an implementation without a description',
      { 'proof.json': whole, 'mine.json': '{}' },
      /mine\.json needs a file mine\.yaml beside it\.$/,
    ],
    [
      'half a description',
      { 'proof.json': whole, 'mine.json': '{}', 'mine.yaml': about },
      /mine\.yaml: version, summary must be given, as text\.$/,
    ],
    [
      'what is not a result',
      { 'proof.json': whole, 'mine.json': '{}', 'mine.yaml': `${about}version: "1"\nsummary: A server.\n` },
      /mine\.json: it is not a result; /,
    ],
  ])('is refused, and named: %s', async (what, files, says) => {
    const at = (name: string): string => join(what.replaceAll(' ', '-'), name);
    for (const [name, text] of Object.entries(files))
      folder.write(at(name === 'proof.json' ? name : `all/${name}`), text);
    const sources = { root: ROOT, proof: folder.at(at('proof.json')), implementations: folder.at(at('all')) };
    const refused = expect(readSite(sources)).rejects;
    await refused.toThrow(UsageError);
    await refused.toThrow(says);
  });

  it('may be a result of another contract, which its page says', async () => {
    const { contract, checks: judged, ...rest } = JSON.parse(read('site/implementations/reference.json')) as Result;
    const stale = { ...rest, contract: { ...contract, version: '1.0.0' }, checks: judged.slice(1) };
    folder.write('stale/mine.json', JSON.stringify(stale));
    folder.write('stale/mine.yaml', 'title: Mine\nlanguage: Go\nversion: "1"\nsummary: <b>A</b>\n');
    const data = await readSite({ root: ROOT, proof: undefined, implementations: folder.at('stale') });
    const parts = sitePages(data).find(({ path }) => path === 'implementations/mine.html')?.parts ?? [];
    const page = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('\n');
    expect(page).toContain('Judged by contract 1.0.0');
    const lacking = checks.filter(({ id }) => !stale.checks.some((each) => each.id === id)).length;
    expect(page).toContain(`Without ${counted(lacking, 'current check')}.`);
    expect(page).toContain('&lt;b&gt;A&lt;/b&gt;');
  });
});
