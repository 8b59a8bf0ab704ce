import { present } from '../../common/text.ts';

/** A request as reports show it: with the variables of keys in place of the keys. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether each character of the body is a byte (ISO 8859-1), not a character in UTF-8. */
  readonly isLatin1?: boolean;
}

/** The variables of keys, as reports write them. Nothing else that a shell would expand is left outside of single quotes. */
export const VARIABLES =
  /(\$CONFORMANCE_(?:ADMIN|RESTRICTED)_KEY\b|\$\{CONFORMANCE_(?:ADMIN|RESTRICTED)_KEY(?:%\?)?\})/;

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}

/** A text as one word in which the shell expands the variables of keys. */
function expanded(text: string): string {
  const parts = text.split(VARIABLES);
  if (parts.length === 1) return quoted(text);
  const isPlain = parts.every((part) => VARIABLES.test(part) || /^[\w @%+=:,;&?./<>-]*$/.test(part));
  if (isPlain) return `"${text}"`;
  const words = present(parts);
  return words.map((part) => (VARIABLES.test(part) ? `"${part}"` : quoted(part))).join('');
}

/** As quoted, with each character beyond ASCII as the byte that it is in ISO 8859-1. */
function quotedBytes(text: string): string {
  const format = text
    .replaceAll(/[\\%]/g, '$&$&')
    .replaceAll(/[^ -~]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"$(printf ${quoted(format)})"`;
}

/** A body as one word. A byte order mark cannot be seen, and reports would show it as an escape that is none for JSON. */
function bodyWord(body: string, isLatin1: boolean): string {
  if (isLatin1) return quotedBytes(body);
  return body.startsWith('\ufeff') ? quotedBytes(Buffer.from(body).toString('latin1')) : expanded(body);
}

/** A field that curl would leave out needs a semicolon if it is blank. */
function headerLine([name, value]: readonly [string, string]): string {
  return `-H ${value.trim() === '' ? quoted(`${name};`) : expanded(`${name}: ${value}`)}`;
}

/**
 * A shell command that sends a request again. It takes keys from the environment and never contains one.
 *
 * @param request its fields in the order in which they are written
 */
export function toCurl({ method, url, headers, body, isLatin1 = false }: ShownRequest): string {
  const isGet = method === 'GET';
  const fields = Object.entries(headers);
  const hasType = fields.some(([name]) => name.toLowerCase() === 'content-type');
  return present([
    'curl -i',
    !isGet && `-X ${method}`,
    expanded(url),
    // curl would print what is compressed.
    ...fields.filter(([name]) => name.toLowerCase() !== 'accept-encoding').map(headerLine),
    !isGet && !hasType && `-H ${quoted('Content-Type:')}`,
    !isGet && body === undefined && `-H ${quoted('Content-Length: 0')}`,
    body !== undefined && `--data-raw ${bodyWord(body, isLatin1)}`,
  ]).join(' ');
}
