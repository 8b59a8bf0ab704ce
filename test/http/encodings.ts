const latin1 = (value: string, encoding: 'base64' | 'hex'): string => Buffer.from(value, 'latin1').toString(encoding);
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const each = (value: string, escape: (code: string) => string): string =>
  Array.from({ length: value.length }, (_each, at) => escape(value.charCodeAt(at).toString(16).padStart(4, '0'))).join(
    '',
  );

/** The forms in which a text stands in a URL, a form, JSON or a token; docs/cli.md lists them. */
export const encodings: Readonly<Record<string, (value: string) => string>> = {
  verbatim: (value) => value,
  'small letters': (value) => value.toLowerCase(),
  'capital letters': (value) => value.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'form-encoded': (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'percent-encoded in ISO 8859-1': (value) => latin1(value, 'hex').replaceAll(/../g, '%$&'),
  'in a JSON string': inJson,
  'in JSON within JSON': (value) => inJson(inJson(value)),
  'in Unicode escapes within JSON': (value) => each(value, (code) => `\\\\u${code}`),
  base64,
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'base64 of ISO 8859-1': (value) => latin1(value, 'base64'),
  'base64 in lines within JSON': (value) => base64(value).replaceAll(/.{4}/g, '$&\\r\\n'),
  'base64 in a JSON string with escaped slashes': (value) => base64(value).replaceAll('/', '\\/'),
  'percent-encoded base64': (value) => encodeURIComponent(base64(value)),
};
