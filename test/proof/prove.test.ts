import { expect, it } from 'vitest';
import { called, defects, variants } from '../../proof/catalogue.ts';
import { namesCheck, proveDefect, proveVariant } from '../../proof/prove.ts';

const OPTIONS = { seed: 1 };
const defect = { ...called(defects, 'banners-doubled'), killedBy: {} };

it('a defect of which nothing is recorded yet concerns the checks of what it breaks, and no others', () => {
  expect(namesCheck(defect, 'banner-id-unique')).toBe(true);
  expect(namesCheck(defect, 'banners-complete')).toBe(false);
  expect(namesCheck({ ...defect, killedBy: { 'banners-stable': 'other-banners' } }, 'banner-id-unique')).toBe(false);
});

it('what only the record lacks is no problem once it is recorded', async () => {
  const judged = await proveDefect(defect, OPTIONS);
  expect([judged.problems.length, judged.unrecordable]).toEqual([1, []]);
  const variant = await proveVariant({ ...called(variants, 'shows-id-only'), inconclusive: {} }, OPTIONS);
  expect([variant.problems.length > 0, variant.unrecordable]).toEqual([true, []]);
});

it('what a record cannot mend stays a problem', async () => {
  const misnamed = { ...defect, breaks: ['banners.stable'] };
  expect((await proveDefect(misnamed, OPTIONS)).unrecordable).toContain('banner.id-unique is reported broken');
});
