const MOST_TEXT = 4_000;

/** A text of at most some 4,000 characters. */
export function shortened(text: string, most = MOST_TEXT): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}
