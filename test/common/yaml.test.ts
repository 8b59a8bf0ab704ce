import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UsageError } from '../../common/process/args.ts';
import { parseYaml } from '../../common/yaml.ts';

/** What no message may show. It is no name: it has a sign that names do not have. */
const SECRET = 'gehe=im';

/** What is said of a text; empty if it is YAML. */
function refusalOf(text: string): string {
  try {
    parseYaml('c.yaml', text);
    return '';
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

const SIGNS = [
  SECRET,
  '\n',
  '  ',
  ': ',
  '- ',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '\\q',
  '!',
  '!!',
  '%',
  '&',
  '*',
  '|',
  '>',
  '@',
  '`',
  '\t',
  '---',
  '? ',
  '#',
];

it('says where a text is wrong, and quotes nothing of it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }), (parts) => {
      const said = refusalOf(parts.join(''));
      expect(said).not.toContain(SECRET);
      expect(said).toMatch(/^$|^c\.yaml(:\d+:\d+)?: .*[.?]$/);
    }),
    { numRuns: 2_000 },
  );
});

it.each([`"${SECRET}": 1\n"${SECRET}": 2`, `"\\${SECRET}"`, `%YAML ${SECRET}\n---\na: 1`, `a: >${SECRET}`])(
  'does not quote %j',
  (text) => {
    expect(refusalOf(text)).toMatch(/^c\.yaml:\d+:\d+: /);
    expect(refusalOf(text)).not.toContain(SECRET);
  },
);

it.each<[string, string]>([
  ['lists', '['.repeat(200_000)],
  ['lists with their ends', '['.repeat(150) + ']'.repeat(150)],
  ['lists in block style', `${'- '.repeat(20_000)}a`],
  ['objects', 'a: {'.repeat(20_000)],
  ['objects in block style', Array.from({ length: 150 }, (_each, level) => `${' '.repeat(level)}a:`).join('\n')],
])('refuses in one line what is nested too deeply: %s', (_what, text) => {
  expect(refusalOf(text)).toBe('c.yaml: it is nested deeper than 100 levels.');
});

it('takes what is nested no deeper than people write', () => {
  for (const text of ['['.repeat(90) + ']'.repeat(90), `${'- '.repeat(90)}a`, `${'{a: '.repeat(90)}1${'}'.repeat(90)}`])
    expect(refusalOf(text)).toBe('');
});
