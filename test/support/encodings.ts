export type Encode = (value: string) => string;

const hex = (value: string): string =>
  Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
const latin1 = (value: string, encoding: 'base64' | 'hex'): string => Buffer.from(value, 'latin1').toString(encoding);
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const inUnicodeEscapes = (value: string, backslashes: string): string =>
  Array.from(
    { length: value.length },
    (_each, index) => `${backslashes}u${value.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
const base64 = (value: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(value)));

/** The forms in which a text stands in a URL, a form, JSON, HTML, a token or a dump. */
export const encodings: Readonly<Record<string, Encode>> = {
  verbatim: (value) => value,
  'percent-encoded': encodeURIComponent,
  'percent-encoded with small hex digits': (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
  'form-encoded': (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'percent-encoded three times': (value) => encodeURIComponent(encodeURIComponent(encodeURIComponent(value))),
  'percent-encoded byte by byte': (value) => hex(value).replaceAll(/../g, '%$&'),
  'percent-encoded in ISO 8859-1': (value) => latin1(value, 'hex').replaceAll(/../g, '%$&'),
  'in a JSON string': inJson,
  'in JSON within JSON': (value) => inJson(inJson(value)),
  'in Unicode escapes': (value) => inUnicodeEscapes(value, '\\'),
  'in Unicode escapes within JSON': (value) => inUnicodeEscapes(value, '\\\\'),
  'in byte escapes within JSON': (value) => hex(value).replaceAll(/../g, '\\\\x$&'),
  'in byte escapes': (value) => hex(value).replaceAll(/../g, '\\x$&'),
  'with a backslash before each character': (value) => Array.from(value, (char) => `\\${char}`).join(''),
  'with three backslashes before each character': (value) => Array.from(value, (char) => `\\\\\\${char}`).join(''),
  'in numeric entities without semicolons': (value) =>
    Array.from(value, (char) => `&#x${(char.codePointAt(0) ?? 0).toString(16)}`).join(''),
  'in entities whose ampersands are escaped': (value) =>
    Array.from(value, (char) => `&amp;#${char.codePointAt(0) ?? 0};`).join(''),
  'in HTML': (value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  base64,
  'base64 without padding': (value) => base64(value).replaceAll('=', ''),
  base64url: (value) => base64(value).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'),
  hex,
  'base64 of ISO 8859-1': (value) => latin1(value, 'base64'),
  'hex of ISO 8859-1': (value) => latin1(value, 'hex'),
  'base64 in lines': (value) => base64(value).replaceAll(/.{4}/g, '$&\r\n'),
  'base64 in lines within JSON': (value) => base64(value).replaceAll(/.{4}/g, '$&\\r\\n'),
  'base64 in a JSON string with escaped slashes': (value) => base64(value).replaceAll('/', '\\/'),
  'percent-encoded base64': (value) => encodeURIComponent(base64(value)),
  'capital hex': (value) => hex(value).toUpperCase(),
  'small letters': (value) => value.toLowerCase(),
  'capital letters': (value) => value.toUpperCase(),
};
