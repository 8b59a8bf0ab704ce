const hex = (value: string): string => Buffer.from(value).toString('hex');
const latin1 = (value: string, encoding: 'base64' | 'hex'): string => Buffer.from(value, 'latin1').toString(encoding);
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function inUnicodeEscapes(value: string, backslashes: string): string {
  const units = Array.from({ length: value.length }, (_each, index) => value.charCodeAt(index));
  return units.map((unit) => `${backslashes}u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The forms in which a text stands in a URL, a form, JSON, HTML, a token or a dump; docs/cli.md lists them. */
export const encodings: Readonly<Record<string, (value: string) => string>> = {
  verbatim: (value) => value,
  'small letters': (value) => value.toLowerCase(),
  'capital letters': (value) => value.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'form-encoded': (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'percent-encoded byte by byte': (value) => hex(value).replaceAll(/../g, '%$&'),
  'percent-encoded in ISO 8859-1': (value) => latin1(value, 'hex').replaceAll(/../g, '%$&'),
  'in a JSON string': inJson,
  'in JSON within JSON': (value) => inJson(inJson(value)),
  'in Unicode escapes': (value) => inUnicodeEscapes(value, '\\'),
  'in Unicode escapes within JSON': (value) => inUnicodeEscapes(value, '\\\\'),
  'in byte escapes': (value) => hex(value).replaceAll(/../g, '\\x$&'),
  'in HTML': (value) => value.replaceAll(/[&<>"']/g, (char) => HTML[char] ?? ''),
  'in numeric entities': (value) => Array.from(value, (char) => `&#${char.codePointAt(0) ?? 0};`).join(''),
  'in hexadecimal entities without semicolons': (value) =>
    Array.from(value, (char) => `&#x${(char.codePointAt(0) ?? 0).toString(16)}`).join(''),
  base64,
  'base64 without padding': (value) => base64(value).replaceAll('=', ''),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'base64 of ISO 8859-1': (value) => latin1(value, 'base64'),
  'base64 in lines': (value) => base64(value).replaceAll(/.{4}/g, '$&\r\n'),
  'base64 in lines within JSON': (value) => base64(value).replaceAll(/.{4}/g, '$&\\r\\n'),
  'base64 in a JSON string with escaped slashes': (value) => base64(value).replaceAll('/', '\\/'),
  'percent-encoded base64': (value) => encodeURIComponent(base64(value)),
  hex,
  'capital hex': (value) => hex(value).toUpperCase(),
  'hex of ISO 8859-1': (value) => latin1(value, 'hex'),
};
