/** Whether people read one term for one thing, in documentation, contract, site and messages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/folder.ts';
import { casesBeside, ROOT } from '../support/repository.ts';

interface Terms {
  readonly terms: Readonly<Record<string, readonly string[]>>;
  readonly allowed: readonly (readonly [file: string, text: string, reason: string])[];
  readonly left: readonly string[];
}
const { terms, allowed, left } = casesBeside(import.meta.url) as Terms;

/** A piece of text that people read, and the line of its file in which it begins. */
type Piece = readonly [text: string, line: number];

/** Texts of code (ids, commands, values) are no prose: they become blanks, so that lines and words keep their places. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^ *```[^]*?^ *```$|`[^`\n]*`|<code>[^]*?<\/code>|^---\n[^]*?^---$|\]\([^)]*\)/gm, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  );

/** The literals of a program, but for the paths of imports. */
function literals(source: string): Piece[] {
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
  const pieces: Piece[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    // A single word is an id or a value.
    if (isText && node.text.trim().includes(' '))
      pieces.push([withoutCode(node.text), file.getLineAndCharacterOfPosition(node.getStart()).line]);
    node.forEachChild(visit);
  };
  visit(file);
  return pieces;
}

/** A document without the comments of YAML, which are not for its readers. */
const prose = (text: string, file: string): Piece[] => [
  [withoutCode(file.endsWith('.yaml') ? text.replaceAll(/^[ \t]*#.*$/gm, '') : text), 0],
];

const PROSE = /^[^/]+\.md$|^(docs|examples)\/.*\.md$|^openapi\.yaml$|^conformance\/.*\.yaml$|^site\/src\/.*\.astro$/;
const PROGRAMS = /^(cli|common|contract|reference-server|conformance)\/.*\.ts$/;
const FOLDERS = ['docs', 'examples', 'site/src', 'cli', 'common', 'contract', 'reference-server', 'conformance'];
const HERE = readdirSync(ROOT).filter((name) => /\.(md|yaml)$/.test(name));
const FILES = [
  ...HERE,
  ...FOLDERS.flatMap((folder) => filesBelow(join(ROOT, folder)).map((path) => `${folder}/${path}`)),
].filter((path) => !path.includes('node_modules/'));

/** What not to say, with the better word. */
const WRONG = Object.entries(terms).map(([better, patterns]) => {
  const words = `(?<![\\w-])(?:${patterns.join('|')})(?![\\w-])`.replaceAll(' ', '\\s+');
  return { better, words: new RegExp(words, 'gi') };
});

function wrongIn([text, start]: Piece) {
  return WRONG.flatMap(({ better, words }) =>
    [...text.matchAll(words)].map(({ 0: word, index }) => {
      const line = start + text.slice(0, index).split('\n').length;
      return { line, says: `"${word.replaceAll(/\s+/g, ' ')}": say ${better}` };
    }),
  );
}

const isAllowed = (file: string, line: string): boolean =>
  allowed.some(([where, text]) => file === where && line.includes(text));

/** The words of a file that are not ours, each with its line and the better word. */
function foundIn(file: string, piecesOf: (text: string, file: string) => Piece[]): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const lines = source.split('\n');
  return piecesOf(source, file)
    .flatMap(wrongIn)
    .filter(({ line }) => !isAllowed(file, lines[line - 1] ?? ''))
    .map(({ line, says }) => `${file}:${line}: ${says}`);
}

const isLeft = (file: string): boolean => left.some((start) => file.startsWith(start));

it('documents, site and messages use the terms of this project', () => {
  const found = FILES.filter((file) => !isLeft(file)).flatMap((file) => [
    ...(PROSE.test(file) ? foundIn(file, prose) : []),
    ...(PROGRAMS.test(file) ? foundIn(file, literals) : []),
  ]);
  expect(found).toEqual([]);
});

it('each exception still stands where it is allowed', () => {
  const gone = allowed.filter(([file, text]) => !readFileSync(join(ROOT, file), 'utf8').includes(text));
  expect(gone).toEqual([]);
});

it('a word that is not ours is found, with its line and the better word; code is not read', () => {
  const text = 'It works.\n`an answer`\nThe server\nputs the name\nback.\n';
  expect(wrongIn([withoutCode(text), 0])).toEqual([{ line: 4, says: '"puts the name back": say restore' }]);
  const [piece] = literals("import 'an answer';\nconst text =\n  `an answer to ${'id'}`;\n");
  expect(piece && wrongIn(piece)).toEqual([{ line: 3, says: '"answer": say response, respond' }]);
});
