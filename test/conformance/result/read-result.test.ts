import { describe, expect, it } from 'vitest';
import { parseResult } from '../../../conformance/result/read-result.ts';
import { judgeReference } from '../../support/target.ts';

const result = await judgeReference();

describe('a result file', () => {
  it('is read as it was written', () =>
    expect(parseResult('r.json', JSON.stringify(result))).toEqual(JSON.parse(JSON.stringify(result))));

  it.each([
    ['{', /^r\.json: it is not JSON: /],
    ['[]', /^r\.json: it is not a result; "run --report json=PATH" writes one\.$/],
    ['{"entries":[]}', /^r\.json: it is not a result; /],
    ['{"schemaVersion":2}', /^r\.json: it has schemaVersion 2, and this version reads up to 1; update /],
    ['{"schemaVersion":1}', /^r\.json: it is not a result: it must have required property 'tool'\.$/],
  ])('%s is refused in one line', (text, message) => expect(() => parseResult('r.json', text)).toThrow(message));

  it('is refused with the place of what is wrong', () => {
    const text = JSON.stringify({ ...result, verdict: 'green' });
    expect(() => parseResult('r.json', text)).toThrow(
      /^r\.json: it is not a result: \/verdict must be equal to one of/,
    );
  });
});
