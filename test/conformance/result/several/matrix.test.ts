import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeMatrices, targetOfResult } from '../../../../conformance/result/several/matrix.ts';
import { parseMatrixOrResult } from '../../../../conformance/result/read-result.ts';
import { VERDICTS, worstVerdict } from '../../../../conformance/result/verdict.ts';
import { shardOf } from '../../../../common/shard.ts';
import { matrixOf, matrixOfResults, matrixTarget } from '../../../support/matrices.ts';
import { everyStanding, hostileResult, resultOf } from '../../../support/results.ts';

const { tool } = resultOf([]);

describe('the verdict on a fleet', () => {
  it.each([
    [['passed', 'inconclusive'], 'inconclusive'],
    [['inconclusive', 'failed', 'passed'], 'failed'],
    [['failed', 'interrupted'], 'interrupted'],
    [['interrupted', 'error', 'failed'], 'error'],
  ] as const)('of %j is %s', (verdicts, worst) => {
    expect(worstVerdict(verdicts)).toBe(worst);
    expect(matrixOf(verdicts.map((verdict, place) => matrixTarget(`t${place}`, { verdict }))).verdict).toBe(worst);
  });

  it('is not passed where nothing was judged, but for a shard without targets', () => {
    expect(matrixOf([]).verdict).toBe('inconclusive');
    expect(matrixOf([], { index: 5, count: 5 }).verdict).toBe('passed');
  });
});

describe('a matrix', () => {
  it('is bounded, whatever a target sent', () => {
    const { findings } = targetOfResult('a', hostileResult('x'.repeat(20_000)));
    for (const { title } of findings) expect(title.length).toBeLessThan(400);
  });

  it('can be read again', () => {
    const matrix = matrixOfResults([resultOf(everyStanding()), hostileResult('\u202e<script>')]);
    expect(parseMatrixOrResult('matrix.json', JSON.stringify(matrix))).toEqual(matrix);
    const shard = matrixOf([matrixTarget('a')], { index: 1, count: 2 });
    expect(parseMatrixOrResult('matrix.json', JSON.stringify(shard))).toEqual(shard);
  });

  it.each([
    ['{}', 'm.json: it is not a matrix; "run --targets FILE" and "merge" write one.'],
    ['{"matrixVersion":2}', 'm.json: it has matrixVersion 2, and this version reads up to 1'],
    ['{"matrixVersion":1}', "m.json: it is not a matrix: it must have required property 'tool'"],
    ['{"schemaVersion":1}', 'm.json: it is not a result: '],
  ])('is refused in one line: %s', (text, problem) =>
    expect(() => parseMatrixOrResult('m.json', text)).toThrow(problem),
  );
});

describe('merged matrices', () => {
  it('of all shards are the matrix of the fleet', () => {
    const verdict = fc.constantFrom(...VERDICTS);
    fc.assert(
      fc.property(
        fc.array(verdict, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        (verdicts, count) => {
          const targets = verdicts.map((each, place) => matrixTarget(`t${100 + place}`, { verdict: each }));
          const shards = Array.from({ length: count }, (_each, place) => {
            const shard = { index: place + 1, count };
            return matrixOf(shardOf(targets, shard), shard);
          });
          expect({ ...mergeMatrices(shards.toReversed(), tool), shards: [] }).toEqual(matrixOf(targets));
        },
      ),
    );
  });

  it('name the shards that are missing, and do not pass then, until these are merged too', () => {
    const shard = (index: number) => matrixOf([matrixTarget(`t${index}`)], { index, count: 3 });
    const incomplete = mergeMatrices([shard(1), shard(3)], tool);
    expect(incomplete).toMatchObject({ verdict: 'inconclusive', missingShards: ['2/3'] });
    expect(mergeMatrices([incomplete, shard(2)], tool)).toMatchObject({ verdict: 'passed', missingShards: [] });
  });
});
