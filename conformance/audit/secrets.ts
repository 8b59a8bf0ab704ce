import { excerptAt } from '../../common/text.ts';
import type { Inputs } from '../inputs.ts';

/** Characters of an error that are looked at. */
const LOOKED_AT = 8_192;

/** What an error may show of the inside of a server, each with its patterns. Each pattern takes linear time. */
const INTERNALS: readonly (readonly [what: string, ...forms: RegExp[]])[] = [
  [
    'a stack trace',
    /\.(?:[cm]?[jt]s|java|kt|scala|cs|rb|php|py|go|rs|ex)(?::(?:line )?|\(|\\*",\s{0,9}"?line"?:?\s?)\d/,
    /Traceback \(most recent call last\)|thread '[^']{1,99}' panicked at /,
  ],
  [
    'a message of the database',
    /\b(?:SQLSTATE|SQLITE_[A-Z]|ER_[A-Z]+_[A-Z]|ORA-\d{5}|psycopg2?\.|PG::)/,
    /violates (?:unique|not-null|foreign key|check) constraint|syntax error at or near/i,
  ],
  [
    'a query',
    /\binsert into [^;:<]{1,400}\bvalues\b/i,
    /\b(?:select\s[^;<]{1,400}\sfrom|update\s\S{1,99}\s{1,9}set|delete from)\s[^;:<]{1,100}[=$]/i,
  ],
];

/** What an error shows of the inside of the server (source: none; a `should`), and where; undefined if nothing. */
export function internalsIn(text: string): { readonly what: string; readonly excerpt: string } | undefined {
  // In JSON text, a line break and a quotation mark are escapes. A link leads to the documentation.
  const shown = text
    .slice(0, LOOKED_AT)
    .replaceAll(/\\[nrt]/g, '\n')
    .replaceAll('\\"', '"')
    .replaceAll(/https?:\/\/[^\s"]+/g, ' ');
  for (const [what, ...forms] of INTERNALS) {
    const at = forms.map((form) => shown.search(form)).find((place) => place !== -1);
    if (at !== undefined) return { what, excerpt: excerptAt(shown, at) };
  }
  return undefined;
}

/** Members whose value is a secret, by their names. */
const SECRET_NAME = /^(hashed_?)?(password|passwd|pwd|passphrase)(_?(hash|digest|salt))?$|^(secret|salt)$/i;
/** Password hashes: bcrypt, scrypt, argon2, PBKDF2, crypt. */
const PASSWORD_HASH =
  /^(\$(2[abxy]?|argon2(id|i|d)|scrypt|s0|pbkdf2[\w-]*|[156y]|md5)\$.{8,}|\{(S?SHA|SSHA\d+|CRYPT)\}.{8,}|(pbkdf2_|bcrypt_|argon2)\w*\$.{8,})$/i;
/** A value that only says that there is one, such as `***`. */
const MASKED = /^[*\u2022]*$/;

/** The place of the first secret in a value, as a JSON pointer; undefined if there is none. */
export function secretIn(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return PASSWORD_HASH.test(value) ? pointer : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, child] of Object.entries(value)) {
    const isSecret = typeof child === 'string' && !MASKED.test(child) && SECRET_NAME.test(name);
    const found = isSecret ? `${pointer}/${name}` : secretIn(child, `${pointer}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Characters. A shorter key may occur in a response by chance. */
const LEAST_KEY = 8;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The forms in which a response may repeat one of these keys: as it is, in JSON, in a URL, in Base64, in hexadecimal, in UTF-16. */
export function keyForms({ adminKey = '', restrictedKey = '' }: Pick<Inputs, 'adminKey' | 'restrictedKey'>): string[] {
  const telling = [adminKey, restrictedKey].filter(({ length }) => length >= LEAST_KEY);
  return telling.flatMap((key) => {
    const bytes = Buffer.from(key);
    const [base64, hex] = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
    // Between the characters is the other byte of each, whichever comes first.
    const utf16 = [Array.from(key).join('\0'), Array.from(key, inJson).join('\\u0000')];
    const forms = [key, inJson(key), encodeURIComponent(key), base64, hex, hex.toUpperCase()];
    return [...new Set([...forms, ...utf16])];
  });
}
