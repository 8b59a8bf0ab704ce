import type { RequestSpec } from './exchange.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}

/** In double quotes if the text has a key's variable, which the shell then expands; otherwise in single quotes. */
function shellQuoted(text: string): string {
  return /\$\{?CONFORMANCE_/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : quoted(text);
}

/** As quoted, with each character beyond ASCII as the byte that it is in Latin-1. */
function quotedBytes(text: string): string {
  const format = text
    .replaceAll(/[\\%]/g, '$&$&')
    .replaceAll(/[^ -~]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"$(printf ${quoted(format)})"`;
}

function authorization({ credential }: RequestSpec): string[] {
  const { header, shell = '', otherHeaders, fieldName = 'Authorization' } = credential;
  if (otherHeaders) return Object.keys(otherHeaders).map((name) => `-H ${shellQuoted(`${name}: ${shell}`)}`);
  if (header === undefined) return [];
  return header.trim() === '' ? [`-H '${fieldName};'`] : [`-H ${shellQuoted(`${fieldName}: ${shell}`)}`];
}

/**
 * A shell command that sends a recorded request again. It names a key by its environment variable and never contains one.
 *
 * @param baseUrl without a slash at its end
 */
export function toCurl(request: RequestSpec, baseUrl: string): string {
  const { method, path, headers, credential, body, charset } = request;
  const url = `${baseUrl}${path}`;
  const parts = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    credential.query === undefined ? quoted(url) : `${quoted(`${url}?`)}${shellQuoted(credential.shell ?? '')}`,
    ...authorization(request),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'Accept-Encoding')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(method !== 'GET' && headers['Content-Type'] === undefined ? [`-H ${quoted('Content-Type:')}`] : []),
    ...(body === undefined
      ? method === 'GET'
        ? []
        : ["-H 'Content-Length: 0'"]
      : [`--data-raw ${charset === undefined ? quoted(body) : quotedBytes(body)}`]),
  ];
  return parts.join(' ');
}
