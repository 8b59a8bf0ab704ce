import type { RequestSpec } from './exchange.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function authorization({ credential }: RequestSpec): string[] {
  const { header, shell, query } = credential;
  if (header === undefined || query !== undefined) return [];
  if (header.trim() === '') return [`-H ${quoted('Authorization;')}`];
  return shell?.includes('$') ? [`-H "Authorization: ${shell}"`] : [`-H ${quoted(`Authorization: ${shell ?? ''}`)}`];
}

/**
 * A shell command that sends a recorded request again. A key is named by its environment variable, never written out.
 *
 * @param baseUrl without a slash at the end
 */
export function toCurl(request: RequestSpec, baseUrl: string): string {
  const { method, path, headers, credential, body } = request;
  const url = `${baseUrl}${path}`;
  const parts = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    credential.query === undefined ? quoted(url) : `"${url}?${credential.shell ?? ''}"`,
    ...authorization(request),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'accept-encoding')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(method !== 'GET' && headers['content-type'] === undefined ? [`-H ${quoted('content-type:')}`] : []),
    ...(body === undefined ? (method === 'GET' ? [] : ["-H 'content-length: 0'"]) : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' ');
}
