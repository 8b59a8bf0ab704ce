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

/** Text as it stands in HTML, also within a quoted attribute. */
export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

function render(content: Content): string {
  if (content instanceof Html) return content.text;
  if (content === undefined || content === false) return '';
  if (typeof content === 'object') return content.map(render).join('');
  return escape(String(content));
}

/** Template tag: the literal parts are HTML, the values are escaped unless they are HTML themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

/** Contents one after the other, with something between them. */
export function join(contents: readonly Content[], separator: Content = ''): Html {
  return new Html(contents.map(render).join(render(separator)));
}

/** A number for people: `1,224`. */
export function figure(amount: number): string {
  return amount.toLocaleString('en-US');
}

/** How many, with the noun in the right number: `1 check`, `3 checks`. */
export function count(amount: number, noun: string): string {
  return `${figure(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
