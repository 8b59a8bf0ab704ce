/** The texts that people read: documentation, contract, site, fixes, hints, and the messages of programs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { filesBelow } from './folder.ts';
import { ROOT } from './repository.ts';

/** A piece of text that people read, and the line of its file in which it begins. */
export type Piece = readonly [text: string, line: number];

/** Texts of code (ids, commands, values) are no prose: they become blanks, so that lines and words keep their places. */
export const withoutCode = (text: string): string =>
  text.replaceAll(/^ *```[^]*?^ *```$|`[^`\n]*`|<code>[^]*?<\/code>|^---\n[^]*?^---$|\]\([^)]*\)/gm, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  );

/** What a form finds in a piece, each with its line. */
export const foundIn = ([text, start]: Piece, form: RegExp): { readonly word: string; readonly line: number }[] =>
  [...text.matchAll(form)].map(({ 0: word, index }) => ({
    word,
    line: start + text.slice(0, index).split('\n').length,
  }));

/** The literals of a program, but for the paths of imports. */
export function literals(source: string): Piece[] {
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
/** What may hold such texts. */
export const FILES = [
  ...HERE,
  ...FOLDERS.flatMap((folder) => filesBelow(join(ROOT, folder)).map((path) => `${folder}/${path}`)),
].filter((path) => !path.includes('node_modules/'));

/** The texts of a file, and its lines. */
export function proseIn(file: string): { readonly pieces: readonly Piece[]; readonly lines: readonly string[] } {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const pieces = [...(PROSE.test(file) ? prose(source, file) : []), ...(PROGRAMS.test(file) ? literals(source) : [])];
  return { pieces, lines: source.split('\n') };
}
