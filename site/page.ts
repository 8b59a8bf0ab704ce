import type { Html } from '../common/html.ts';

/** A piece of a page: Markdown that this repository wrote, or HTML, in which everything else is escaped. */
export type Part = string | Html;

/** A page beside another one. */
export interface Neighbour {
  readonly link: string;
  readonly label: string;
}

/** A page of the site, as the generator gets it. */
export interface Page {
  /** From the site's root. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for search engines and for the head of the page. */
  readonly description: string;
  readonly parts: readonly Part[];
  /** The deepest headings in the list "On this page", 2 if it is left out; 0: there is no list. */
  readonly depth?: 3 | 0;
  /** The pages before and after it, of one that the navigation does not name. */
  readonly prev?: Neighbour;
  readonly next?: Neighbour;
}
