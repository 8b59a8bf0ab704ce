import { html, type Html } from '../../../common/html.ts';
import type { Standing } from '../content/check-standing.ts';

/** Each standing in words. */
export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  error: 'error',
  'known-failure': 'known failure',
  tolerated: 'failed, tolerated',
};

export function standingTag(standing: Standing): Html {
  return html`<span class="tag ${standing}">${STANDING_WORDS[standing]}</span>`;
}

export function levelTag(level: string): Html {
  return html`<span class="tag level">${level}</span>`;
}

/** The id of the place of something in the page. */
export function anchor(kind: 'check' | 'requirement', id: string): string {
  return `${kind}-${encodeURIComponent(id)}`;
}
