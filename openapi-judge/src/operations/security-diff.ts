/** Compares the credentials that operations require. */
import { arrayOf, below, isRecord, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import { change, effectOn, type Change, type Sender } from '../change.ts';
import { diffEntries, follow, partAt, type Description, type Located } from '../documents/description.ts';
import type { Operation, OperationPair } from './value-diff.ts';

/** The credentials that are required together: each scheme with each scope is one item. */
type Credentials = ReadonlySet<string>;

/** The credentials of which an operation requires some, and where that stands. */
interface Security {
  readonly place: Located;
  readonly alternatives: readonly Credentials[];
}

function securityOf({ operation }: Operation, providers: readonly Provider[], sender: Sender): Security {
  const { description } = operation;
  const root: Located = { description, pointer: '', value: description.root };
  // Nobody means that the requests of a server carry the credentials of its clients.
  const holders = sender === 'client' ? [operation, root] : [operation];
  const place = holders.map((each) => partAt(each, 'security')).find(({ value }) => value !== undefined);
  const required = arrayOf(place?.value);
  const alternatives = required.length === 0 ? [{}] : required;
  return {
    place: place ?? operation,
    alternatives: alternatives.map((each) => credentials(description, objectOf(each), providers)),
  };
}

function schemeOf(description: Description, name: string): unknown {
  const pointer = below('/components/securitySchemes', name);
  const schemes = member(member(description.root, 'components'), 'securitySchemes');
  return follow({ description, pointer, value: member(schemes, name) }).value;
}

/** What a scheme of each type requires of a request, without its name and its description. */
const FORMS: Readonly<Record<string, (said: (member: string) => string) => string>> = {
  apiKey: (said) => `API key in ${said('in')} ${said('in') === 'header' ? said('name').toLowerCase() : said('name')}`,
  http: (said) => `HTTP ${said('scheme').toLowerCase()}`,
  openIdConnect: (said) => `OpenID Connect ${said('openIdConnectUrl')}`,
};

function schemeForm(description: Description, name: string, providers: readonly Provider[]): string {
  const scheme = schemeOf(description, name);
  if (!isRecord(scheme)) return `undefined scheme ${name}`;
  const said = (key: string): string => textOf(scheme[key]) ?? '';
  const type = said('type');
  if (type === 'oauth2') return providers.find((each) => each.name === name)?.label ?? 'OAuth 2';
  return FORMS[type]?.(said) ?? type;
}

/** Stands between a scheme and one of its scopes. */
const SCOPE = ' scope ';

function credentials(
  description: Description,
  requirement: Readonly<Record<string, unknown>>,
  providers: readonly Provider[],
): Credentials {
  return new Set(
    Object.entries(requirement).flatMap(([name, scopes]) => {
      const form = schemeForm(description, name, providers);
      return [form, ...arrayOf(scopes).map((scope) => `${form}${SCOPE}${String(scope)}`)];
    }),
  );
}

function within(inner: Credentials, outer: Credentials): boolean {
  return [...inner].every((each) => outer.has(each));
}

/** Credentials for people: each scheme with its scopes, and what it means that there are none. */
function shownEach(some: Credentials): string {
  const schemes = [...some].filter((each) => !each.includes(SCOPE));
  const shown = schemes.map((scheme) => {
    const scopes = [...some].filter((each) => each.startsWith(`${scheme}${SCOPE}`));
    const names = scopes.map((each) => each.slice(scheme.length + SCOPE.length));
    return names.length === 0 ? scheme : `${scheme} with ${names.join(' and ')}`;
  });
  return shown.join(' and ') || 'a request without credentials';
}

function shown(alternatives: readonly Credentials[]): string {
  return [...new Set(alternatives.map(shownEach))].join(', or ');
}

/**
 * Compares the credentials that an operation requires of its requests.
 *
 * Senders break if credentials that were enough no longer are. Receivers break if credentials are enough that were not;
 * servers also if they have to require more than before: one that still accepts every request does not conform.
 */
export function diffSecurity({ was, is, sender }: OperationPair): Change[] {
  const providers = providersOfBoth(was, is);
  const flows = sender === 'client' ? diffFlows(providers.before, providers.after) : [];
  const before = securityOf(was, providers.before, sender);
  const after = securityOf(is, providers.after, sender);
  const refused = before.alternatives.filter((old) => !after.alternatives.some((each) => within(each, old)));
  const opened = after.alternatives.filter((now) => !before.alternatives.some((each) => within(each, now)));
  if (refused.length === 0 && opened.length === 0) return flows;
  const isStricter = sender === 'client' && refused.some((old) => after.alternatives.some((each) => within(old, each)));
  const effect = effectOn(sender, { narrows: refused.length > 0, widens: opened.length > 0 || isStricter });
  const fact = `the required credentials change from ${shown(before.alternatives)} to ${shown(after.alternatives)}`;
  return [change(ruleFor(refused, opened), after.place, fact, effect), ...flows];
}

function ruleFor(refused: readonly Credentials[], opened: readonly Credentials[]) {
  if (refused.length === 0) return 'security-loosened';
  return opened.length === 0 ? 'security-tightened' : 'security-changed';
}

/** An OAuth 2 scheme that an operation uses. */
interface Provider {
  readonly name: string;
  /** The same for a scheme of the older document and for what became of it. */
  readonly label: string;
  readonly flows: ReadonlyMap<string, Flow>;
  /** Where the tokens of all flows come from. */
  readonly addresses: string;
}

interface Flow {
  readonly place: Located;
  /** Where tokens come from. */
  readonly urls: string;
  readonly scopes: readonly string[];
}

const ADDRESSES = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'];

function providersOf({ operation }: Operation): readonly Provider[] {
  const { description } = operation;
  const used = arrayOf(member(operation.value, 'security') ?? description.root.security);
  return [...new Set(used.flatMap((each) => Object.keys(objectOf(each))))].flatMap((name) => {
    const scheme = schemeOf(description, name);
    if (member(scheme, 'type') !== 'oauth2') return [];
    const flows = Object.entries(objectOf(member(scheme, 'flows'))).filter(([, value]) => isRecord(value));
    const read = flows.map(([flow, value]): [string, Flow] => {
      const pointer = below('/components/securitySchemes', name, 'flows', flow);
      const urls = [...ADDRESSES.map((key) => member(value, key)), member(scheme, 'oauth2MetadataUrl')];
      const scopes = Object.keys(objectOf(member(value, 'scopes')));
      return [flow, { place: { description, pointer, value }, urls: stableJson(urls), scopes }];
    });
    const addresses = stableJson(Object.fromEntries(read.map(([flow, { urls }]) => [flow, urls])));
    return [{ name, label: `OAuth 2 (${name})`, flows: new Map(read), addresses }];
  });
}

/** An older scheme is called as what became of it: the newer one of its name, or with its addresses. */
function providersOfBoth(was: Operation, is: Operation) {
  const after = providersOf(is);
  const before = providersOf(was).map((old) => {
    const now = after.find(({ name }) => name === old.name) ?? after.find((each) => each.addresses === old.addresses);
    return { ...old, label: now?.label ?? old.label };
  });
  return { before, after };
}

function diffFlows(before: readonly Provider[], after: readonly Provider[]): Change[] {
  return after.flatMap(({ label, flows }) => {
    const old = before.find((each) => each.label === label);
    // If a scheme is added or removed as a whole, the change of the credentials says so.
    if (old === undefined) return [];
    return diffEntries(old.flows, flows, {
      gone: ({ place }, flow) =>
        change('oauth-flow-removed', place, { where: label, fact: `the flow ${flow} is gone` }),
      come: ({ place }, flow) =>
        change('oauth-flow-added', place, { where: label, fact: `the flow ${flow} is new: a server has to offer it` }),
      both: (was, is, flow) => diffFlow(was, is, `${label}, flow ${flow}`),
    });
  });
}

function diffFlow(was: Flow, is: Flow, where: string): readonly Change[] {
  const addresses = ADDRESSES.flatMap((key) => {
    const [old, now] = [was, is].map(({ place }) => textOf(member(place.value, key)) ?? 'none');
    return old === now ? [] : [`${key} from ${old ?? ''} to ${now ?? ''}`];
  });
  const moved = `the addresses change: ${addresses.join(', ') || 'oauth2MetadataUrl'}`;
  const [gone, come] = [lacking(was.scopes, is.scopes), lacking(is.scopes, was.scopes)];
  const scopes = `the scopes change: gone: ${gone || 'none'}; new: ${come || 'none'}`;
  return [
    ...(was.urls === is.urls ? [] : [change('oauth-flow-changed', is.place, { where, fact: moved })]),
    ...(gone === come ? [] : [change('oauth-scopes-changed', is.place, { where, fact: scopes })]),
  ];
}

/** Those of some names that are not among others. */
function lacking(some: readonly string[], others: readonly string[]): string {
  return some.filter((each) => !others.includes(each)).join(', ');
}
