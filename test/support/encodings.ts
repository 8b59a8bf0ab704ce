export type Encode = (value: string) => string;

const hex = (value: string): string =>
  Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (value: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(value)));

/** The forms in which a text stands in a URL, a form, JSON, HTML, a token or a dump. */
export const encodings: Readonly<Record<string, Encode>> = {
  verbatim: (value) => value,
  'percent-encoded': encodeURIComponent,
  'percent-encoded with small hex digits': (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
  'form-encoded': (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  'in a JSON string': (value) => JSON.stringify(value).slice(1, -1),
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
  'capital hex': (value) => hex(value).toUpperCase(),
  'small letters': (value) => value.toLowerCase(),
  'capital letters': (value) => value.toUpperCase(),
};
