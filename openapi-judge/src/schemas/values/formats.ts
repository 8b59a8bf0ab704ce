/** For some formats, those that have all of its values, too. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16'],
  int16: ['int32'],
  int32: ['int64'],
  uint8: ['int16'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['iri', 'uri-reference'],
  'uri-reference': ['iri-reference'],
};

/** Whether every value of a format is one of another. */
export function fitsFormat(inner: string, outer: string): boolean {
  return inner === outer || (WITHIN[inner] ?? []).some((wider) => fitsFormat(wider, outer));
}
