import fc from 'fast-check';
import { expect, it } from 'vitest';
import { REPORT_FORMATS, REPORTS } from '../../../conformance/report/formats.ts';
import { legibleValue } from '../../../common/text.ts';
import { examples } from '../../support/sample.ts';
import { failedCheck, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

const SIGNS = [
  ...['<', '>', '&', '"', "'", ']]>', '```', '`', '|', '\\', '\r', '\n', '\u001b[', '\u202e', '::', '@a', '#1'],
  ...['\ud800', '--', '{{', '$&'],
];

/** Any code units, halves of characters too, and texts that mean something in some format. */
const text = fc.oneof(
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 60 }),
  fc.array(fc.constantFrom(...SIGNS), { maxLength: 20 }).map((parts) => parts.join('')),
);

it.each(REPORT_FORMATS)('The report %s shows whatever a target sends as harmless text', async (format) => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.jsonValue({ maxDepth: 4 }),
      fc.jsonValue({ maxDepth: 2 }),
      async (sent, actual, expected) => {
        const check = failedCheck(sent);
        if (!check.failure) throw new Error('it failed');
        const failure = { ...check.failure, actual, expected, pointer: `/${sent}` };
        for (const result of [hostileResult(sent), resultOf([{ ...check, failure }], { verdict: 'failed' })]) {
          const report = await REPORTS[format](result);
          // A tab is text; Markdown has breaks of its own, so that nobody is mentioned.
          const shown = report.replaceAll(format === 'markdown' ? /[\t\u200b]/g : '\t', '');
          expect(UNSEEN.exec(shown)?.[0]).toBeUndefined();
          if (['json', 'ctrf', 'badge'].includes(format)) expect(() => JSON.parse(report) as unknown).not.toThrow();
          // Also once it was read.
          if (format === 'ctrf') expect(legibleValue(JSON.parse(report))).toEqual(JSON.parse(report));
        }
      },
    ),
    examples(60),
  );
});
