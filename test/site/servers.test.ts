import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultsOf, fixesOf, fixOf, pageWith, withDefault } from '../../scripts/server-pages.ts';
import { read, ROOT } from '../support/repository.ts';

const source = 'a()\n  # [text] Not a number.\n  b()\n\n# [text] Nor null.\nc()\n\n# [other] Else.\nd()\n';
const page =
  '# Page\n\n## Text\n\n```py default=text\nnaive()\nworse()\n```\n\nold\n\n- known\n\n## Other\n\n```sh\nls\n```\n';

describe('the page of a server', () => {
  it('gets the findings of a default, the code that replaces it, and the server', () => {
    const filled = pageWith(page, { source, path: 'p.py' }, { text: ['found'] });
    expect(filled).toContain(
      'worse()\n```\n\nThe suite finds:\n\n- found\n\nInstead:\n\n```py fix=text\n# [text] Not a',
    );
    expect(filled).toContain(
      'b()\n\n# [text] Nor null.\nc()\n```\n\n## Other\n\n```sh\nls\n```\n\n## The whole server',
    );
    expect(filled).toMatch(/`p\.py`:\n\n```py file\na\(\)\n[^]*d\(\)\n```\n$/);
  });

  it('gives a server with a default in place of its fix', () => {
    const [first] = defaultsOf(page);
    expect(first && withDefault(source, first)).toBe('a()\n  naive()\n  worse()\n\n\n# [other] Else.\nd()\n');
  });

  it('is refused if the server lacks a fix', () =>
    expect(() => pageWith(page, { source: 'a()\n', path: 'p.py' })).toThrow('"[text] …"'));
});

const servers = JSON.parse(read('examples/servers/servers.json')) as { name: string; source: string }[];

describe.each(servers)('the server to copy on $name', ({ name, source: file }) => {
  const path = `examples/servers/${name}/${file}`;
  const server = read(path);
  const own = read(`docs/servers/${name}.md`);

  it('stands on its page as it is tested', () => expect(pageWith(own, { source: server, path })).toBe(own));

  it('replaces each default of its page, and the suite finds each', () => {
    const defaults = defaultsOf(own);
    expect(defaults.map(({ id }) => id).sort()).toEqual(fixesOf(server).sort());
    expect(defaults.filter(({ findings }) => findings.length === 0)).toEqual([]);
    expect(defaults.filter(({ id }) => fixOf(server, id).split('\n').length > 25)).toEqual([]);
  });

  it('has at most 150 lines, a command that starts it, and a link from the list', () => {
    expect(server.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(existsSync(join(ROOT, `examples/servers/${name}/run.sh`))).toBe(true);
    expect(read('docs/servers/README.md')).toContain(`](${name}.md)`);
  });
});
