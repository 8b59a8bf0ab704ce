import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Html, type Content } from '../../../common/html.ts';

const SHEET = readFileSync(new URL('style.css', import.meta.url), 'utf8');

/** What a page of its own consists of. */
export interface Page {
  readonly title: string;
  readonly body: Content;
  /** Rules beside those of every page. */
  readonly style?: string;
  readonly script?: string;
}

function digest(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** A page that loads nothing: the browser runs only this script and applies only these styles. Whatever else is in it is text. */
export function page({ title, body, style = '', script = '' }: Page): string {
  // The browser compares these texts with their digests to the last blank.
  const sheet = `${SHEET}\n${style}\n`;
  const scripts = script === '' ? '' : `; script-src ${digest(script)}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src ${new Html(digest(sheet))}${new Html(scripts)}; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${new Html(`<style>${sheet}</style>`)}${script !== '' && new Html(`<script>${script}</script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}
