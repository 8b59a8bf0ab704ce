import { rememberingEach } from '../../common/json.ts';
import type { ResponseRecord } from '../http/exchange.ts';

/** Characters of an error that are looked at. */
const LOOKED_AT = 8_192;

/** What an error shows of the inside of the server; undefined if nothing. No text takes long: nothing is searched for without end. */
export const internalsIn = rememberingEach(
  ({ text }: ResponseRecord): string | undefined => {
    // In JSON text, a line break is an escape.
    const shown = text.slice(0, LOOKED_AT).replaceAll(/\\[nrt]/g, ' ');
    const shows = (form: RegExp): boolean => form.test(shown);
    const isTrace =
      shows(/\.(?:[cm]?[jt]s|java|kt|scala|cs|rb|php|py|go|rs|ex)(?::(?:line )?|\(|\\*",\s*"?line"?:?\s?)\d/) ||
      shows(/Traceback \(most recent call last\)|thread '[^']+' panicked at /);
    if (isTrace) return 'a stack trace';
    const isOfDatabase =
      shows(/\b(?:SQLSTATE|SQLITE_[A-Z]|ER_[A-Z]+_[A-Z]|ORA-\d{5}|psycopg2?\.|PG::)/) ||
      shows(/violates (?:unique|not-null|foreign key|check) constraint|syntax error at or near/i);
    if (isOfDatabase) return 'a message of the database';
    const isQuery =
      shows(/\binsert into [^;:<]{1,400}\bvalues\b/i) ||
      shows(/\b(?:select\s[^;<]{1,400}\sfrom|update\s\S+\s+set|delete from)\s[^;:<]{1,100}[=$]/i);
    return isQuery ? 'a query' : undefined;
  },
  // The same for bodies that are the same.
  ({ json }) => json,
);
