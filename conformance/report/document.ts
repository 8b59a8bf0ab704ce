import type { Level } from '../../contract/document.ts';
import type { Counts } from '../result/result.ts';
import type { Outcome, Verdict } from '../result/verdict.ts';
import type { FailureLine } from './content/failure.ts';
import type { Standing } from './content/check-standing.ts';

/** What a tag says: how a check or a run ended, or a level. */
export type Tag = Standing | Verdict | Level | 'not scored';

/** A piece of a line. A string is shown as it is, whoever wrote it. */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly bold: Text }
  | { readonly soft: Text }
  | { readonly tag: Tag; readonly title?: string; readonly text?: string }
  | { readonly link: string; readonly text: Text }
  | { readonly lineBreak: true };
/** A line of text. */
export type Text = Inline | readonly Inline[];

/** An item of a list; all lines but the first are notes on it. */
export interface Item {
  readonly mark?: 'good' | 'bad' | 'other';
  readonly lines: readonly Text[];
}

/** A finding or a failed check, in as much detail as a format has room for. */
export interface Deviation {
  readonly type: 'deviation';
  /** The id of its place in the document. */
  readonly id: string;
  /** The id by which it is known. */
  readonly name: string;
  readonly isFinding: boolean;
  readonly level: Extract<Tag, Level | 'not scored'>;
  readonly title: Text;
  readonly facts: readonly string[];
  readonly requirements: readonly { readonly id: string; readonly text: Text; readonly source: string }[];
  readonly lines: readonly FailureLine[];
  /** To the member of the last response that is judged. */
  readonly pointer?: string;
  readonly curl: readonly string[];
  /** Checks that belong to it. */
  readonly related: readonly (readonly [label: string, ids: readonly Text[]])[];
  /** How much a format with little room shows. */
  readonly form: 'open' | 'short' | 'brief';
}

/** A part of a document. */
export type Node =
  | Deviation
  | { readonly type: 'paragraph'; readonly text: Text }
  | { readonly type: 'list'; readonly items: readonly Item[] }
  | { readonly type: 'fields'; readonly rows: readonly (readonly [label: string, value: Text])[] }
  | { readonly type: 'counts'; readonly rows: readonly (readonly [label: string, counts: Counts])[] }
  /** Ids that are folded where that is possible; on a terminal, many of them are only summed up. */
  | { readonly type: 'ids'; readonly title: string; readonly ids: readonly string[]; readonly sum: string }
  | { readonly type: 'group'; readonly title: Text; readonly nodes: readonly Node[] }
  /** What is folded wherever that is possible. */
  | { readonly type: 'entry'; readonly id: string; readonly summary: Text; readonly nodes: readonly Node[] }
  | {
      readonly type: 'table';
      readonly label: string;
      readonly columns: readonly Text[];
      readonly rows: readonly (readonly Text[])[];
      /** The first of the columns whose cells are only a sign wide. */
      readonly signsFrom?: number;
    };

/** A section of a document. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** What the section is about, where its title does not say it. */
  readonly lead?: Text;
  /** How many things it holds, where that says something. */
  readonly count?: number;
  readonly nodes: readonly Node[];
  /** Whether a long text has it folded. */
  readonly isFolded?: boolean;
  /** What a terminal says of the section in place of it, unless everything is to be shown. */
  readonly leftOut?: string;
  /** Whether only a page has it. */
  readonly isForPage?: boolean;
}

/** A report, whatever its format. */
export interface Document {
  readonly title: string;
  /** What gives the label its colour. */
  readonly tone: Verdict;
  readonly label: string;
  /** What the verdict is on, if not on everything. */
  readonly scope?: string;
  readonly words: string;
  /** Sentences that belong to the verdict. */
  readonly notes: readonly Text[];
  /** What the exit code means. */
  readonly exit?: string;
  readonly hints: readonly string[];
  readonly nodes: readonly Node[];
  readonly sections: readonly Section[];
  readonly footer?: string;
}

export const LINE_BREAK: Inline = { lineBreak: true };

/** A text of the suite or the contract, with what stands between backticks as code. */
export function prose(text: string): Text {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? { code: part } : part)).filter((part) => part !== '');
}

/** Texts with something between them. */
export function joined(texts: readonly Text[], between: Inline = ', '): Inline[] {
  return texts.flatMap((text, index) => [...(index === 0 ? [] : [between]), ...piecesOf(text)]);
}

/** The pieces of a text. */
export function piecesOf(text: Text): readonly Inline[] {
  return Array.isArray(text) ? (text as readonly Inline[]) : [text as Inline];
}

/** A list whose items are a line each. */
export function listOf(texts: readonly Text[]): Node {
  return { type: 'list', items: texts.map((text) => ({ lines: [text] })) };
}

/** The outcomes in short, told apart without their colours too. */
export const SIGNS: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
  error: '!',
  'not-applicable': '–',
};
