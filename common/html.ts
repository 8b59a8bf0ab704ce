import { escapeInvisible } from './text.ts';

/** A piece of HTML. Everything else that goes into a template is text, and is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text and numbers are escaped, lists are joined, `undefined` and `false` are nothing. */
export type Content = Html | string | number | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(content: Content): string {
  if (content instanceof Html) return content.text;
  if (content === undefined || content === false) return '';
  if (typeof content === 'object') return content.map(render).join('');
  return escapeInvisible(String(content)).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Template tag: the literal parts are HTML, the values are escaped unless they are HTML themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.map((text, index) => text + render(values[index])).join(''));
}

/** Contents one after the other, with something between them. */
export function join(contents: readonly Content[], separator: Content = ''): Html {
  return new Html(contents.map(render).join(render(separator)));
}

/** A text of the suite or the contract, with what stands between backticks as code. */
export function prose(text: string): Html {
  return join(text.split(/`([^`]*)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part)));
}
