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
  const failure = { ...first, problems: ['body-absent failed as accepted'] };
  const about = 'title: Mine\nlanguage: Go\n';

  const proved = { 'proof.json': matrix({}) };
  const mine = { ...proved, 'all/mine.json': '{}' };
  const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'no proof': {},
    'the proof of another state': { 'proof.json': matrix({ defects: defects.slice(1) }) },
    'a proof that does not hold': { 'proof.json': matrix({ variants: [failure, ...others] }) },
    'an implementation without a description': mine,
    'half a description': { ...mine, 'all/mine.yaml': about },
    'what is not a result': { ...mine, 'all/mine.yaml': `${about}version: "1"\nsummary: A server.\n` },
  };

  it('is refused in one line as it was reviewed', async () => {
    const lines = Object.entries(refused).map(async ([what, files]) => {
      const { path, at, write } = folder.fresh();
      for (const [name, text] of Object.entries(files)) write(name, text);
      const sources = { root: ROOT, proof: at('proof.json'), implementations: at('all') };
      const error: unknown = await readSite(sources).catch((thrown: unknown) => thrown);
      expect(error, what).toBeInstanceOf(UsageError);
      const { message } = error as UsageError;
      return `${what}\n  ${message.replaceAll(`${path}/`, '').replace(failure.id ?? '', 'a-variant')}`;
    });
    await expect((await Promise.all(lines)).join('\n')).toMatchFileSnapshot('golden/refusals.txt');
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
