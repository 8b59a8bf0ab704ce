import { escapeInvisible } from './text.ts';

/** A piece of HTML. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function partText(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(partText).join('');
  return escapeInvisible(String(part)).replaceAll(/[&<>"']/g, (char) => NAMES[char] ?? char);
}

/** A template of HTML: what is put in is shown as text, unless it is markup itself. Lists are joined; undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, index) => text + partText(parts[index])).join(''));
}

/** A sentence of the suite or the contract, in which what stands between backticks is code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]*)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
