import type { Exchange } from '../../http/exchange.ts';
import { firstOf, gotLine, isGood, rule, statusOf, variable, type Facts, type HintRule } from './facts.ts';

const ADMIN = variable('adminKey');
const RESTRICTED = variable('restrictedKey');

const PLACEHOLDER =
  /^\$\{?\w+\}?$|^%\w+%$|^<.*>$|^\{\{.*\}\}$|^(your|my|the)[-_ ].*(key|token)|^(change[-_ ]?me|xxx+|\.\.\.|…|todo)$/i;

const isBearerAccepted = ({ bearer }: Facts): boolean => bearer !== undefined && isGood(bearer);

/** The admin key, if it was refused each time. */
function refusedKey({ keyRefused, inputs }: Facts): string | undefined {
  return keyRefused ? inputs.adminKey : undefined;
}

/** The admin key, if it was refused each time and "Bearer" does not explain that. */
function unexplainedKey(facts: Facts): string | undefined {
  return isBearerAccepted(facts) ? undefined : refusedKey(facts);
}

function misspelledKey(id: string, pattern: RegExp, problem: string): HintRule {
  return rule(
    id,
    (facts) => pattern.test(refusedKey(facts) ?? ''),
    () => `The admin key was refused with 401, and ${ADMIN} ${problem}.`,
  );
}

function schemesAsked({ response }: Exchange): string[] {
  const text = response?.headers['www-authenticate'] ?? '';
  return [...text.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s|,|$)(?!\s*=)/g)].map(([, scheme = '']) => scheme);
}

const HEADER_NAMES = /\b(x-[a-z-]*(?:key|token|auth[a-z]*)|api[-_]key|apikey)\b/i;

function headerNamed({ response }: Exchange): string | undefined {
  const text = `${response?.headers['www-authenticate'] ?? ''} ${response?.text.slice(0, 2_000) ?? ''}`;
  return HEADER_NAMES.exec(text)?.[1];
}

function isGoodElsewhere(exchange: Exchange): boolean {
  const { otherHeaders, query } = exchange.request.credential;
  return (otherHeaders ?? query) !== undefined && isGood(exchange);
}

/** Hints on the admin key. */
export const keyHints: readonly HintRule[] = [
  rule(
    'bearer-needed',
    isBearerAccepted,
    () =>
      `The admin key was refused with 401 as it is; one extra request, with "Bearer " before the key, was accepted. The contract says that the header holds only the key. If the clients of this target send "Bearer ", set ${ADMIN} and ${RESTRICTED} to "Bearer " and the key, and run again.`,
  ),
  firstOf(
    misspelledKey(
      'key-placeholder',
      PLACEHOLDER,
      'looks like a placeholder: was the variable set? A shell does not expand it in single quotes',
    ),
    misspelledKey('key-quoted', /^(["'`]).*\1$/, 'is in quotes, which were sent as part of it: remove them'),
    misspelledKey(
      'key-with-field-name',
      /^authorization\s*:/i,
      'begins with the name of the header: give only the value',
    ),
  ),
  firstOf(
    rule(
      'key-taken-elsewhere',
      ({ keyRefused, nothingWorks, exchanges }) => keyRefused && nothingWorks && exchanges.find(isGoodElsewhere),
      ({ request }) =>
        `The admin key was refused with 401 in the Authorization header; with ${request.credential.label} the request was accepted. It looks as if the target reads the key from there. The contract says: from the Authorization header, and from nowhere else.`,
    ),
    rule(
      'other-header-named',
      ({ keyRefused, nothingWorks, refused }) =>
        keyRefused && nothingWorks && refused.flatMap((each) => headerNamed(each) ?? [])[0],
      (name) =>
        `The admin key was refused with 401, and the response names ${name}. It looks as if the target expects the key in another header; the contract says Authorization.`,
    ),
  ),
  firstOf(
    rule(
      'key-with-scheme',
      (facts) => /^[A-Za-z][\w-]* +\S/.test(unexplainedKey(facts) ?? ''),
      () =>
        `The admin key was refused with 401, and it begins with another word. The header is sent exactly like that. If the target expects only the key, as the contract says, remove the word from ${ADMIN}.`,
    ),
    rule(
      'scheme-asked',
      (facts) => unexplainedKey(facts) !== undefined && facts.refused.flatMap(schemesAsked).length > 0,
      (_found, { refused }) => {
        const schemes = [...new Set(refused.flatMap(schemesAsked))].slice(0, 3).join(' or ');
        return `The admin key was refused with 401, and the response asks for the scheme ${schemes} (WWW-Authenticate). The contract says that the header holds only the key. If the target wants a scheme, put it before the key in ${ADMIN}.`;
      },
    ),
  ),
  rule(
    'admin-key-forbidden',
    ({ refused }) => refused.every((exchange) => statusOf(exchange) === 403) && refused[0],
    (sample) =>
      `${gotLine(sample)} with the admin key: the target knows the key, but does not permit this. Are ${ADMIN} and ${RESTRICTED} swapped? A firewall or a proxy may also respond with 403.`,
  ),
];
