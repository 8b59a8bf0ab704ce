import { isUtf8 } from 'node:buffer';
import { route } from '../../contract/document.ts';
import { baseAddress, type Inputs } from '../inputs.ts';
import type { ExchangeRecord } from '../facts/result.ts';
import { toCurl, VARIABLES } from './curl.ts';
import type { Exchange, Request, Response } from '../facts/exchange.ts';
import { makeRedactor, SHORTEST_SECRET, WITHHELD } from './redact.ts';

/** Characters of a body of the target that are shown. */
const MOST_OF_BODY = 4_000;
/** Characters of the end of a body that is not kept whole: they may be a part of a key. */
const MOST_OF_END = 4_000;

/** The one door: what leaves the process in an output, a report or a journal goes through it. */
export interface Recorder {
  /** An exchange without keys, with its bodies cut to a readable length. */
  readonly record: (exchange: Exchange) => ExchangeRecord;
  /** A text without keys: a JSON string that contains one is withheld, or else the whole text. */
  readonly text: (text: string) => string;
}

/** ms, with one decimal. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

function shownResponse({ status, headers, text: body, length }: Response, text: Recorder['text']) {
  const all = text(body);
  const isWhole = length === undefined || all === WITHHELD;
  const safe = isWhole ? all : all.slice(0, -MOST_OF_END);
  const cut = (length ?? body.length) - MOST_OF_BODY;
  const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [text(name), text(value)]));
  return { status, headers: fields, body: safe.slice(0, MOST_OF_BODY), cut: cut > 0 ? cut : undefined };
}

type Keys = Pick<Inputs, 'adminKey' | 'restrictedKey'>;

/** Makes the function that puts the name of its variable in the place of each key in what was sent. */
function makeNaming({ adminKey = '', restrictedKey = '' }: Keys): (text: string) => string {
  const keys: readonly (readonly [key: string, name: string])[] = [
    [adminKey, 'CONFORMANCE_ADMIN_KEY'],
    [restrictedKey, 'CONFORMANCE_RESTRICTED_KEY'],
  ];
  const forms = keys
    .filter(([key]) => key.length >= SHORTEST_SECRET)
    .flatMap(([key, name]) =>
      [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].map((form) => [form, name] as const),
    )
    // One key may be a part of the other one.
    .sort(([one], [other]) => other.length - one.length);
  const named = (text: string, form: string, name: string): string =>
    text.replaceAll(form, (_form, at: number) =>
      /\w/.test(text[at + form.length] ?? '') ? `\${${name}}` : `$${name}`,
    );
  return (text) => {
    // A short key is recognized only as a whole value.
    const whole = text === '' ? undefined : keys.find(([key]) => key === text);
    return whole ? `$${whole[1]}` : forms.reduce((rest, [form, name]) => named(rest, form, name), text);
  };
}

/**
 * Makes the function that withholds texts in a text: each JSON string that contains one, or else the whole text. The name of a
 * variable is no key, even if a key reads much like it.
 */
export function makeWithholding(secrets: readonly string[]): (text: string) => string {
  const redact = makeRedactor(secrets);
  return (text) =>
    text
      .split(VARIABLES)
      .map((part, at) => (at % 2 === 1 ? part : redact(part)))
      .join('');
}

/** Makes the recorder of a run. */
export function makeRecorder(inputs: Keys & Pick<Inputs, 'baseUrl'>): Recorder {
  const { baseUrl, adminKey = '', restrictedKey = '' } = inputs;
  const withNames = makeNaming(inputs);
  const text = makeWithholding([adminKey, restrictedKey]);
  const base = baseAddress(baseUrl);

  const sent = (each: string): string => text(withNames(each));
  const sentHeader = ({ headers, shell }: Request): Record<string, string> => {
    const fields = Object.entries(headers).map(([name, value]) => [name, sent(value)] as const);
    return { ...Object.fromEntries(fields), ...(shell !== undefined && { Authorization: shell }) };
  };
  const sentUrl = (path: string): string => {
    const [address = '', ...query] = path.split('?');
    // What the suite addresses is no secret, even if a key is a word of it.
    return base + address + (query.length === 0 ? '' : `?${sent(query.join('?'))}`);
  };

  const record: Recorder['record'] = ({ request, response, startedMs, durationMs }) => {
    const { operation, path, body: content } = request;
    const isLatin1 = content !== undefined && typeof content !== 'string' && !isUtf8(content);
    const body = content && sent(isLatin1 ? content.toString('latin1') : content.toString());
    const { method } = route(operation);
    const shown = { method, url: sentUrl(path), headers: sentHeader(request) };
    return {
      request: { ...shown, body },
      response: response.lost ? undefined : shownResponse(response, text),
      lost: response.lost && text(response.lost.detail),
      startedMs: tenths(startedMs),
      durationMs: tenths(durationMs),
      curl: toCurl({ ...shown, body, isLatin1 }),
    };
  };

  return { record, text };
}
