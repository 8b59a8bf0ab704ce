import { expect, it } from 'vitest';
import { matrixTable } from '../../common/matrix.ts';

const columns = [{ title: 'One', link: '/one/', note: '1.0' }, { title: 'Two' }];
const rows = [
  { title: 'area.what-holds', link: '/r/#area.what-holds', cells: [{ outcome: 'failed', link: '/one/#x' }] },
  { title: '<b>', cells: [{ outcome: 'passed' }, { outcome: 'not-applicable' }] },
];
const { text } = matrixTable('Outcomes', 'Requirement', columns, rows);

it('a matrix shows each outcome by a sign, a class and words, and leads to where more is said', () => {
  expect(text).toContain('<td class="failed" title="failed"><a href="/one/#x"><span aria-hidden="true">✗</span');
  expect(text).toContain('>failed: area.what-holds, One</span>');
  expect(text).toContain('<td class="passed" title="passed"><span aria-hidden="true">✓</span');
});

it('a matrix has a cell for each column, escapes texts, and lets ids break', () => {
  expect(text.match(/<td class="not-applicable" title="not applicable">/g)).toHaveLength(2);
  expect(text).toContain('&lt;b&gt;');
  expect(text).toContain('<a href="/r/#area.what-holds">area.<wbr />what-<wbr />holds<wbr /></a>');
});
