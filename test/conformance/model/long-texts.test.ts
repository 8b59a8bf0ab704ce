import { expect, it } from 'vitest';
import { observe } from '../../../conformance/checks/observations.ts';
import { schema } from '../../../contract/document.ts';
import { answered, inOrder, recordingOf, updateRequest } from '../../support/exchanges.ts';
import { judged } from '../../support/model.ts';

const LENGTH = 400_000;

/** Texts on which a pattern may go back again and again. */
const texts = [
  ['line breaks', '\n'],
  ['spaces', ' '],
  ['the beginning of a frame of a stack', '\n at (:a'],
  ['places in a file', '(:a1'],
  ['parts of a query', 'select from '],
  ['addresses', 'a@'],
  ['host names', 'a.'],
  ['digits', '1'],
  ['backslashes', '\\'],
  ['percent signs', '%'],
  ['dollar signs', '$2'],
  ['tags', '<'],
].map(([what = '', part = '']) => [what, part.repeat(Math.ceil(LENGTH / part.length))] as const);

const USER = Object.keys(schema('createUserResponseSchema').properties);
const ERROR = Object.keys(schema('errorSchema').properties);

function withText(members: readonly string[], text: string): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, text]));
}

it.each(texts)('every check judges in proportion to the length of %s', (_what, text) => {
  const shown = answered(updateRequest({ body: '{"name":"a"}' }), 200, { ...withText(USER, text), id: 4 });
  const refused = answered(updateRequest({ body: '{}' }), 400, { ...withText(ERROR, text), extra: text });
  const recording = recordingOf(inOrder(shown, refused, shown));
  const outcomes = judged(recording).checks.map(({ said }) => said.outcome);
  expect(new Set(outcomes).size).toBeGreaterThan(1);
  expect(observe(recording).length).toBeGreaterThan(0);
});
