import { UsageError } from '../common/process/args.ts';
import { counted } from '../common/text.ts';
import { LEVELS, type Level } from '../contract/document.ts';
import type { Finding } from '../conformance/result/result.ts';

/** What a finding is to a guide. Where nothing was found because nothing could be judged, the hint says why. */
export type GuideFinding = Pick<Finding, 'id' | 'title'> & { readonly level: Level | 'hint' };

/** The findings of a server with what a framework does by default: by the id of the default, and for all defaults together. */
export type GuideFindings = Readonly<Record<string, readonly GuideFinding[]>>;

/** The key of the findings for all defaults together. */
export const ALL = 'all';

/** Code that breaks the contract as a framework's defaults do; a paragraph of the server has the same id. */
export interface Default {
  readonly id: string;
  readonly code: string;
}

/** A block of code that has an id behind its language. */
const BLOCK = /^```(\w+) ([\w-]+)\n([^]*?)\n```$/gm;

/** The defaults that a guide shows. */
export function defaultsOf(guide: string): Default[] {
  return [...guide.matchAll(BLOCK)].map(([, , id = '', code = '']) => ({ id, code }));
}

/** The paragraphs of a server with this id in the comment that begins them. */
function paragraphs(id: string): RegExp {
  return new RegExp(`^([ \\t]*)(//|#) \\[${id}\\] (.*\\n(?:.*\\S.*\\n)+)`, 'gm');
}

/**
 * What a server does in place of a default.
 *
 * @throws UsageError if it has no such paragraph
 */
export function mendIn(source: string, id: string): string {
  const parts = [...source.matchAll(paragraphs(id))].map(([, indent = '', comment = '', text = '']) =>
    `${comment} ${text.replaceAll(`\n${indent}`, '\n')}`.trim(),
  );
  if (parts.length === 0) throw new UsageError(`No paragraph of the server begins with a comment "[${id}] …".`);
  return parts.join('\n\n');
}

/** A server with defaults in place of the paragraphs that mend them. */
export function withDefaults(source: string, defaults: readonly Default[]): string {
  return defaults.reduce((text, { id, code }) => {
    mendIn(text, id);
    const [first, ...others] = text.matchAll(paragraphs(id));
    const indented = code.replaceAll(/^(?=.)/gm, first?.[1] ?? '');
    return others.reduce(
      (shorter, [more]) => shorter.replace(more, ''),
      text.replace(first?.[0] ?? '', () => `${indented}\n`),
    );
  }, source);
}

/** The ids of a server's paragraphs. */
export function mendsOf(source: string): string[] {
  return [...new Set([...source.matchAll(paragraphs('([\\w-]+)'))].map(([, , , id = '']) => id))];
}

function findingList(findings: readonly GuideFinding[]): string {
  return findings.map(({ level, title }) => `- \`${level}\` ${title.replaceAll(/(?=[<>*_[\]])/g, '\\')}`).join('\n');
}

/**
 * A guide as the site shows it: with what the suite finds by each default, what the server does in its place, and the server.
 *
 * @throws UsageError if the findings or the server lack a default
 */
export function guideWith(
  guide: string,
  { path, text }: Record<'path' | 'text', string>,
  findings: GuideFindings,
): string {
  const [, language = ''] = /^```(\w+) /m.exec(guide) ?? [];
  const fenced = (code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
  const found = (id: string): readonly GuideFinding[] => {
    const own = findings[id] ?? [];
    if (own.length === 0) throw new UsageError(`No finding of ${id} is known: npm run examples -- --defaults.`);
    return own;
  };
  const shown = guide.replaceAll(
    BLOCK,
    (_block, _language, id: string, code: string) =>
      `${fenced(code)}\n\nThe suite says:\n\n${findingList(found(id))}\n\nIn its place:\n\n${fenced(mendIn(text, id))}`,
  );
  const all = found(ALL);
  const many = LEVELS.map((level) => `${all.filter((each) => each.level === level).length} \`${level}\``).join(', ');
  return `${shown.trimEnd()}\n\n## The whole server\n\nWith all of these defaults a run has ${counted(all.length, 'finding')} (${many}), and what they hide; without them it has none. This is \`${path}\`:\n\n${fenced(text.trimEnd())}\n`;
}
