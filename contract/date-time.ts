import type formatsOfAjv from 'ajv-formats/dist/formats.js';
import { requireModule } from '../common/process/commonjs.ts';

const ajvFormats = requireModule('ajv-formats/dist/formats.js') as typeof formatsOfAjv;

/** The syntax of an RFC 3339 date-time (section 5.6, with the space that its note allows). It does not check which days exist. */
export const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const dateTime = ajvFormats.fullFormats['date-time'] as { validate: (text: string) => boolean };

/**
 * Whether a text is an RFC 3339 date-time (section 5.6, with the space that its note allows).
 * The format of ajv-formats alone also accepts an offset without a colon.
 */
export function isDateTime(text: string): boolean {
  return RFC_3339.test(text) && dateTime.validate(text);
}

/** A date-time of ISO 8601 with an offset: its seconds may be missing, and the minutes of its offset. */
const OFFSET_DATE_TIME = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d)(:\d\d(?:[.,]\d+)?)?([Zz]|[+-]\d\d)(:\d\d)?$/;

/** The same in the basic format of ISO 8601: nothing stands between the digits. */
const BASIC_OFFSET_DATE_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:[.,]\d+)?)?([Zz]|[+-]\d\d)(\d\d)?$/;

/** A date-time of ISO 8601 in the extended format. */
function extended(text: string): string {
  const [, year, month, day, hours, minutes, seconds, offset, minutesOfOffset] =
    BASIC_OFFSET_DATE_TIME.exec(text) ?? [];
  if (year === undefined) return text;
  const time = [hours, minutes, ...(seconds === undefined ? [] : [seconds])].join(':');
  return `${year}-${month}-${day}T${time}${offset}${minutesOfOffset === undefined ? '' : `:${minutesOfOffset}`}`;
}

/** Whether a text is a date-time with an offset, of RFC 3339 or ISO 8601. */
function isOffsetDateTime(text: string): boolean {
  const [, start, seconds = ':00', offset = '', minutes = /^[Zz]/.test(offset) ? '' : ':00'] =
    OFFSET_DATE_TIME.exec(extended(text)) ?? [];
  return start !== undefined && isDateTime(`${start}${seconds.replace(',', '.')}${offset}${minutes}`);
}

/** The formats of the contract's schemas, for the generated validators. */
export const formats = { 'date-time': isDateTime, 'offset-date-time': isOffsetDateTime };
