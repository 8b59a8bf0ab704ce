/** Whether the texts that people read are spelled as in American English, but for the words of words.txt. */
import dictionary from 'dictionary-en';
import nspell from 'nspell';
import { expect, it } from 'vitest';
import { FILES, foundIn, type Piece, proseIn } from '../support/prose.ts';
import { read } from '../support/repository.ts';

const OWN_WORDS = read('test/docs/words.txt').trimEnd().split('\n');
const { aff, dic } = dictionary;
const speller = nspell(Buffer.from(aff), Buffer.from(dic));

/** Addresses, paths, flags, entities, references of OpenAPI, and variables: names, not words. */
const NAMES = /https?:\S+|[\w.*-]*\/[\w./*{}-]+|--?[a-z][\w-]*|&\w+;|\$\w+|[\w.-]+@[\w.-]+|\{[\w.]+\}|<\/?[^>]+>/g;
/** Words in small letters, perhaps with a capital at the start; what has digits, dots or other capitals is a name. */
const WORDS = /(?<![\w.$@#'’-])[A-Za-z][a-z]+(?:['’][a-z]+)?(?![\w$@]|[.:][a-z])/g;

function wordsIn([text, start]: Piece): ReturnType<typeof foundIn> {
  const plain = text.replaceAll(NAMES, (name) => ' '.repeat(name.length)).replaceAll('’', "'");
  return foundIn([plain, start], WORDS);
}

const found = FILES.flatMap((file) =>
  proseIn(file).pieces.flatMap((piece) => wordsIn(piece).map((each) => ({ file, ...each }))),
);

const isWord = (word: string): boolean => speller.correct(word) || speller.correct(word.toLowerCase());
const isOwn = (word: string): boolean => OWN_WORDS.includes(word) || OWN_WORDS.includes(word.toLowerCase());

it('every word is one of the language, or of this project', () => {
  const wrong = found.filter(({ word }) => !isWord(word) && !isOwn(word));
  expect(wrong.map(({ file, line, word }) => `${file}:${line}: ${word}`)).toEqual([]);
});

it('every word of words.txt is used, unknown to the dictionary, and at its place', () => {
  const used = new Set(found.flatMap(({ word }) => [word, word.toLowerCase()]));
  expect(OWN_WORDS.filter((word) => !used.has(word) || isWord(word))).toEqual([]);
  expect(OWN_WORDS).toEqual([...new Set(OWN_WORDS)].sort());
});

it('a misspelled word is found with its line, and names are not read', () => {
  const words = wordsIn(['A server.\nIt reponds at https://exampel.org with `x` and docs/exampel.md, --flga', 0]);
  expect(words.filter(({ word }) => !isWord(word))).toEqual([{ word: 'reponds', line: 2 }]);
});
