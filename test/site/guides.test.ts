import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { UsageError } from '../../common/process/args.ts';
import type { Result } from '../../conformance/result/result.ts';
import { ALL, defaultsOf, type GuideFindings, guideWith, mendIn, mendsOf, withDefaults } from '../../site/guides.ts';
import { read, ROOT } from '../support/repository.ts';

const server = 'a()\n  # [text] Not a number.\n  b()\n\n# [text] Nor null.\nc()\n\n# [other] Else.\nd()\n';
const guide = 'Intro.\n\n```py text\nnaive()\nworse()\n```\n\n```sh\nls\n```\n';
const finding = { level: 'must', id: 'x', title: 'An update with *5*.' } as const;

describe('a guide', () => {
  it('shows what the suite finds by a default, the paragraphs in its place, and the server', () => {
    const shown = guideWith(guide, { path: 'p.py', text: server }, { text: [finding], all: [finding, finding] });
    expect(shown).toContain('```py\nnaive()\nworse()\n```\n\nThe suite says:\n\n- `must` An update with \\*5\\*.');
    expect(shown).toContain('In its place:\n\n```py\n# Not a number.\nb()\n\n# Nor null.\nc()\n```\n\n```sh');
    expect(shown).toMatch(/a run has 2 findings \(2 `must`, 0 `should`\)[^]*`p\.py`:\n\n```py\na\(\)\n/);
  });

  it('has a server with its defaults', () =>
    expect(withDefaults(server, defaultsOf(guide))).toBe('a()\n  naive()\n  worse()\n\n\n# [other] Else.\nd()\n'));

  it.each<[what: string, text: string, findings: GuideFindings]>([
    ['the server has no paragraph for', 'a()\n', { text: [finding], all: [finding] }],
    ['the suite finds nothing for', server, { all: [finding] }],
  ])('is refused if %s a default', (_what, text, findings) =>
    expect(() => guideWith(guide, { path: 'p.py', text }, findings)).toThrow(UsageError),
  );
});

const findings = JSON.parse(read('examples/servers/findings.json')) as Readonly<Record<string, GuideFindings>>;

describe.each(readdirSync(join(ROOT, 'docs/servers')).map((file) => basename(file, '.md')))(
  'the server on %s',
  (name) => {
    const about = parse(read(`site/implementations/${name}.yaml`)) as Record<'folder' | 'source' | 'version', string>;
    const source = read(join(about.folder, about.source));

    it('has at most 150 lines, and a command that starts it', () => {
      expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
      expect(existsSync(join(ROOT, about.folder, 'run.sh'))).toBe(true);
    });

    it('has the versions that it pins', () => {
      const files = readdirSync(join(ROOT, about.folder), { withFileTypes: true }).filter((entry) => entry.isFile());
      const manifests = files.map((entry) => read(join(about.folder, entry.name))).join('\n');
      const versions = about.version.match(/\d+\.\d+[\d.]*/g) ?? [];
      expect(versions.filter((version) => !manifests.includes(version))).toEqual([]);
      expect(versions).not.toEqual([]);
    });

    it('mends each default of its guide, and the suite finds each', () => {
      const ids = defaultsOf(read(`docs/servers/${name}.md`)).map(({ id }) => id);
      expect(mendsOf(source).sort()).toEqual([...ids].sort());
      expect(ids.filter((id) => mendIn(source, id).split('\n').length > 25)).toEqual([]);
      expect(Object.keys(findings[name] ?? {})).toEqual([...ids, ALL]);
      expect(Object.values(findings[name] ?? {}).filter((each) => each.length === 0)).toEqual([]);
    });

    it('passes without a finding', () => {
      const { verdict, findings: found } = JSON.parse(read(`site/implementations/${name}.json`)) as Result;
      expect({ verdict, found }).toEqual({ verdict: 'passed', found: [] });
    });
  },
);

it('the server on Express is judged with the version that it pins', () => {
  const pinned = JSON.parse(read('examples/servers/express/package.json')) as { dependencies: object };
  expect(JSON.parse(read('package.json'))).toMatchObject({ devDependencies: pinned.dependencies });
});
