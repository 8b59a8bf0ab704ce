const latin1 = (value: string, encoding: 'base64' | 'hex'): string => Buffer.from(value, 'latin1').toString(encoding);
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const each = (value: string, escape: (code: string) => string): string =>
  Array.from({ length: value.length }, (_each, at) => escape(value.charCodeAt(at).toString(16).padStart(4, '0'))).join(
    '',
  );

const hex = (value: string, encoding: BufferEncoding = 'utf8'): string => Buffer.from(value, encoding).toString('hex');
/** The text that a body in UTF-16 is read as, which is not UTF-16. */
const utf16 = (value: string): string => Buffer.from(value, 'utf16le').toString();

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
  'hexadecimal digits': hex,
  'hexadecimal digits in capitals': (value) => hex(value).toUpperCase(),
  'hexadecimal digits of ISO 8859-1': (value) => hex(value, 'latin1'),
  'hexadecimal digits of UTF-16': (value) => hex(value, 'utf16le'),
  'hexadecimal bytes with blanks': (value) => hex(value).replaceAll(/..(?=.)/g, '$& '),
  'hexadecimal bytes with colons': (value) =>
    hex(value)
      .toUpperCase()
      .replaceAll(/..(?=.)/g, '$&:'),
  'hexadecimal numbers': (value) => hex(value).replaceAll(/../g, '0x$&, '),
  'hexadecimal escapes': (value) => hex(value).replaceAll(/../g, '\\x$&'),
  'UTF-16': utf16,
  'UTF-16, the greater byte first': (value) => Buffer.from(value, 'utf16le').swap16().toString(),
  'UTF-16 within JSON': (value) => inJson(utf16(value)),
  'base64 of UTF-16': (value) => Buffer.from(value, 'utf16le').toString('base64'),
  'base64 of UTF-16, the greater byte first': (value) => Buffer.from(value, 'utf16le').swap16().toString('base64'),
  'percent-encoded base64': (value) => encodeURIComponent(base64(value)),
};
