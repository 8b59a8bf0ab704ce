import type { Exchange } from '../../http/exchange.ts';
import { firstOf, gotLine, isGood, statusOf, variable, type Facts, type HintTexts } from './facts.ts';

const ADMIN = variable('adminKey');
const RESTRICTED = variable('restrictedKey');

const PLACEHOLDER =
  /^\$\{?\w+\}?$|^%\w+%$|^<.*>$|^\{\{.*\}\}$|^(your|my|the)[-_ ].*(key|token)|^(change[-_ ]?me|xxx+|\.\.\.|…|todo)$/i;

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

/** What the pages and errors of CSRF protection say: Django, Phoenix, csurf; Laravel has a status of its own, Rails a page. */
const CSRF = /csrf|xsrf|cross[- ]site request forgery|authenticity.?token/i;
const RAILS_REJECTED = 'The change you wanted was rejected';

function asksForCsrfToken(exchange: Exchange): boolean {
  const text = exchange.response?.text.slice(0, 20_000) ?? '';
  if (statusOf(exchange) === 419) return true;
  return [400, 403, 422].includes(statusOf(exchange)) && (CSRF.test(text) || text.includes(RAILS_REJECTED));
}

/** Whether the same operation refuses with 403 without a key, too. */
function isRefusedWithoutKey({ request }: Exchange, { exchanges }: Facts): boolean {
  const keyless = exchanges.filter((each) => {
    const { operation, credential } = each.request;
    return (
      operation === request.operation &&
      credential.role === undefined &&
      credential.header === undefined &&
      each.response
    );
  });
  return keyless.length > 0 && keyless.every((each) => statusOf(each) === 403);
}

/** What is wrong with an admin key that was refused with 401 each time, and is as the operator did not mean it. */
function misspelled(key: string): HintTexts {
  const said = (pattern: RegExp, problem: string): string | false =>
    pattern.test(key) && `The admin key was refused with 401, and ${ADMIN} ${problem}.`;
  return firstOf({
    'key-placeholder': said(
      PLACEHOLDER,
      'looks like a placeholder: was the variable set? A shell does not expand it in single quotes',
    ),
    'key-quoted': said(/^(["'`]).*\1$/, 'is in quotes, which were sent as part of it: remove them'),
    'key-with-field-name': said(/^authorization\s*:/i, 'begins with the name of the header: give only the value'),
  });
}

/** Where the target looks for a key that was refused with 401 each time, if not in the Authorization header. */
function elsewhere({ exchanges, refused }: Facts): HintTexts {
  const good = exchanges.find(isGoodElsewhere);
  const [name] = refused.flatMap((each) => headerNamed(each) ?? []);
  return firstOf({
    'key-taken-elsewhere':
      good &&
      `The admin key was refused with 401 in the Authorization header; with ${good.request.credential.label} the request was accepted. It looks as if the target reads the key from there. The contract says: from the Authorization header, and from nowhere else.`,
    'other-header-named':
      name &&
      `The admin key was refused with 401, and the response names ${name}. It looks as if the target expects the key in another header; the contract says Authorization.`,
  });
}

/** Which scheme an admin key that was refused with 401 each time has, or lacks. */
function schemes(key: string, { refused }: Facts): HintTexts {
  const asked = [...new Set(refused.flatMap(schemesAsked))].slice(0, 3).join(' or ');
  return firstOf({
    'key-with-scheme':
      /^[A-Za-z][\w-]* +\S/.test(key) &&
      `The admin key was refused with 401, and it begins with another word. The header is sent exactly like that. If the target expects only the key, as the contract says, remove the word from ${ADMIN}.`,
    'scheme-asked':
      asked !== '' &&
      `The admin key was refused with 401, and the response asks for the scheme ${asked} (WWW-Authenticate). The contract says that the header holds only the key. If the target wants a scheme, put it before the key in ${ADMIN}.`,
  });
}

/** Why a target forbids what the admin key may do. */
function forbidden(facts: Facts): HintTexts {
  const { refused } = facts;
  const asking = refused.find(asksForCsrfToken);
  const sample = refused.every((exchange) => statusOf(exchange) === 403) ? refused[0] : undefined;
  return firstOf({
    'csrf-token-asked':
      asking &&
      `${gotLine(asking)}, and the response speaks of a CSRF token. It looks like a protection of forms and cookies, a default of the framework: a client that sends a key in the Authorization header has no such token. Exempt these paths from it.`,
    'refused-before-key':
      sample &&
      isRefusedWithoutKey(sample, facts) &&
      `${gotLine(sample)} with the admin key, and 403 without a key as well: something refuses before the key is looked at. It may be a protection against CSRF, a default of some frameworks that an API with keys does not need, a firewall or a proxy.`,
    'admin-key-forbidden':
      sample &&
      `${gotLine(sample)} with the admin key: the target knows the key, but does not permit this. Are ${ADMIN} and ${RESTRICTED} swapped? A firewall or a proxy may also respond with 403.`,
  });
}

/** Hints on the admin key. */
export function keyHints(facts: Facts): HintTexts {
  const { bearer, keyRefused, nothingWorks, inputs } = facts;
  const isBearerAccepted = bearer !== undefined && isGood(bearer);
  const { adminKey } = keyRefused ? inputs : {};
  return {
    'bearer-needed':
      isBearerAccepted &&
      `The admin key was refused as it is; one extra request, with "Bearer " before the key, was accepted. The contract says that the header holds only the key. If the clients of this target send "Bearer ", set ${ADMIN} and ${RESTRICTED} to "Bearer " and the key, and run again.`,
    ...misspelled(adminKey ?? ''),
    ...(keyRefused && nothingWorks ? elsewhere(facts) : {}),
    ...(isBearerAccepted || adminKey === undefined ? {} : schemes(adminKey, facts)),
    ...forbidden(facts),
  };
}
