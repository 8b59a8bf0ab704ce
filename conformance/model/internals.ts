import { isRecord, rememberingEach } from '../../common/json.ts';
import type { ResponseRecord } from '../http/exchange.ts';

/** Characters of a text, and of one of its lines, that are looked at: what nobody wrote for people may have any length. */
const LOOKED_AT = 8_192;
const LOOKED_AT_IN_LINE = 512;
/** Texts of one error. */
const LOOKED_AT_TEXTS = 100;

/** What only the inside of a server writes in one line, with the line breaks around it: frames of stack traces, messages of databases. */
const INTERNAL_LINES: readonly (readonly [what: string, form: RegExp])[] = [
  ['a stack trace', /^\n\s+at \S.*[(:]\S+:\d+(:\d+)?\)?|^\s*at [\w$.<>]+\(.*:\d+\)/],
  [
    'a stack trace',
    /Traceback \(most recent call last\)|\bFile "[^"]+", line \d+|\.(rb|php|go|cs|ex):\d+(:in |\b.*\n)/,
  ],
  ['a stack trace', /\bgoroutine \d+ \[|\bthread '[^']*' panicked at|#\d+ \/\S+\(\d+\)/],
  ['an exception of its own', /\b(?:[A-Za-z_]\w*\.){2,}[A-Z]\w*(?:Exception|Error): /],
  [
    'a message of the database',
    /\bSQLSTATE\b|\bORA-\d{5}\b|\bSQLITE_[A-Z]+\b|\bER_[A-Z]+_[A-Z_]+\b|\bpsycopg2?\.|\bPG::\w+/,
  ],
  ['a message of the database', /violates (unique|not-null|foreign key|check) constraint|syntax error at or near/i],
];
/** The parts of a query, in their order. */
const QUERIES: readonly (readonly RegExp[])[] = [
  [/\bselect\s/i, /\sfrom\s/i],
  [/\binsert\s+into\s+\S+\s*\(/i],
  [/\bupdate\s+\S+\s+set\s/i],
  [/\bdelete\s+from\s/i],
].map((parts) => [...parts, /\$\d|\?|=|values/i]);

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.length - 1;
  return lines.map((line, at) => `${at > 0 ? '\n' : ''}${line.slice(0, LOOKED_AT_IN_LINE)}${at < last ? '\n' : ''}`);
}

/** Whether a text has some parts one after the other; the first place of each is as good as any later one. */
function hasInOrder(text: string, parts: readonly RegExp[]): boolean {
  let rest = text;
  return parts.every((part) => {
    const found = part.exec(rest);
    rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
    return found !== null;
  });
}

function internalsOf(whole: string): string | undefined {
  const text = whole.slice(0, LOOKED_AT);
  const lines = linesOf(text);
  const found = INTERNAL_LINES.find(([, form]) => lines.some((line) => form.test(line)))?.[0];
  return found ?? (QUERIES.some((parts) => hasInOrder(text, parts)) ? 'a query' : undefined);
}

/** Members with which frameworks show a stack trace. */
const TRACE_MEMBER = /^(stack|stack_?trace|trace|traceback|exception|sql|query)$/i;

/** A member that shows a stack trace: a long text, or a list. */
function traceMember(body: Readonly<Record<string, unknown>>): string | undefined {
  return Object.entries(body).find(
    ([name, value]) =>
      TRACE_MEMBER.test(name) && (Array.isArray(value) || (typeof value === 'string' && value.includes('\n'))),
  )?.[0];
}

function firstInternals(values: readonly unknown[]): string | undefined {
  for (const text of values.filter((value) => typeof value === 'string').slice(0, LOOKED_AT_TEXTS)) {
    const found = internalsOf(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What an error shows of the inside of the server; undefined if nothing. In JSON text a line break is an escape. */
export const internalsIn = rememberingEach(
  ({ text, json }: ResponseRecord): string | undefined => {
    const body = json.ok && isRecord(json.value) ? json.value : {};
    const member = traceMember(body);
    if (member !== undefined) return `a stack trace in \`${member}\``;
    return firstInternals(Object.values(body)) ?? firstInternals([text]);
  },
  // The same for bodies that are the same.
  ({ json }) => json,
);
