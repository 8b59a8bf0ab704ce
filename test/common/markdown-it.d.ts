/** What this project uses of the package, which brings no types. */
declare module 'markdown-it' {
  interface Options {
    readonly html?: boolean;
    readonly linkify?: boolean;
  }
  export default class MarkdownIt {
    constructor(options?: Options);
    render(markdown: string): string;
    renderInline(markdown: string): string;
  }
}
