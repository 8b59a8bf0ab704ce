/** Whether people read one term for one thing, in documentation, contract, site and messages. */
import { expect, it } from 'vitest';
import { FILES, foundIn, literals, type Piece, proseIn, withoutCode } from '../support/prose.ts';
import { casesBeside, read } from '../support/repository.ts';

interface Terms {
  readonly terms: Readonly<Record<string, readonly string[]>>;
  readonly allowed: readonly (readonly [file: string, text: string, reason: string])[];
}
const { terms, allowed } = casesBeside(import.meta.url) as Terms;

/** What not to say, with the better word. */
const WRONG = Object.entries(terms).map(([better, patterns]) => {
  const words = `(?<![\\w-])(?:${patterns.join('|')})(?![\\w-])`.replaceAll(' ', '\\s+');
  return { better, words: new RegExp(words, 'gi') };
});

const wrongIn = (piece: Piece) =>
  WRONG.flatMap(({ better, words }) =>
    foundIn(piece, words).map(({ word, line }) => {
      return { line, says: `"${word.replaceAll(/\s+/g, ' ')}": say ${better}` };
    }),
  );

const isAllowed = (file: string, line: string): boolean =>
  allowed.some(([where, text]) => file === where && line.includes(text));

/** The words of a file that are not ours, each with its line and the better word. */
function wrongInFile(file: string): string[] {
  const { pieces, lines } = proseIn(file);
  return pieces
    .flatMap(wrongIn)
    .filter(({ line }) => !isAllowed(file, lines[line - 1] ?? ''))
    .map(({ line, says }) => `${file}:${line}: ${says}`);
}

it('documents, site and messages use the terms of this project', () => {
  expect(FILES.flatMap(wrongInFile)).toEqual([]);
});

it('each exception still stands where it is allowed', () => {
  const gone = allowed.filter(([file, text]) => !read(file).includes(text));
  expect(gone).toEqual([]);
});

it('a word that is not ours is found, with its line and the better word; code is not read', () => {
  const text = 'It works.\n`an answer`\nThe server\nputs the name\nback.\n';
  expect(wrongIn([withoutCode(text), 0])).toEqual([{ line: 4, says: '"puts the name back": say restore' }]);
  const [piece] = literals("import 'an answer';\nconst text =\n  `an answer to ${'id'}`;\n");
  expect(piece && wrongIn(piece)).toEqual([{ line: 3, says: '"answer": say response, respond' }]);
});
