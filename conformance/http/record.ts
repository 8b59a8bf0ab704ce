import { isUtf8 } from 'node:buffer';
import { figure } from '../../common/text.ts';
import { route } from '../../contract/document.ts';
import type { Inputs } from '../inputs.ts';
import type { ExchangeRecord } from '../result/result.ts';
import { toCurl, VARIABLES } from './curl.ts';
import type { Exchange, Request, Response } from './exchange.ts';
import { makeRedactor, SHORTEST_SECRET } from './redact.ts';

/** Characters of a body of the target that are shown. */
const MOST_OF_BODY = 4_000;
/** Characters of what was sent that are shown: the suite's own bodies are shorter, and a shell takes no argument of 128 KiB. */
const MOST_SENT = 65_536;
/** Characters of a header that are shown, and of one of its values. */
const MOST_OF_HEADER = 8_000;
const MOST_OF_VALUE = 4_000;

/** The one door: what leaves the process in an output, a report or a journal goes through it. */
export interface Recorder {
  /** An exchange without keys, with its bodies and its header cut to a readable length. */
  readonly record: (exchange: Exchange) => ExchangeRecord;
  /** A text without keys: a JSON string that contains one is withheld, or else the whole text. */
  readonly text: (text: string) => string;
}

/** ms, with one decimal. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** The first characters of a text. */
function startOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${figure(text.length - most)} more characters)`;
}

/** Header fields without secrets; of a large header, the start. */
function shownFields(headers: Response['headers'], text: Recorder['text']): Record<string, string> {
  const shown: Record<string, string> = {};
  let left = MOST_OF_HEADER;
  for (const [name, value] of Object.entries(headers)) {
    if (left <= 0) break;
    const field = text(name).slice(0, left);
    left -= field.length;
    const start = startOf(text(value), Math.max(0, Math.min(left, MOST_OF_VALUE)));
    left -= start.length;
    shown[field] = start;
  }
  return shown;
}

function shownResponse({ status, headers, text: body }: Response, text: Recorder['text']): ExchangeRecord['response'] {
  const safe = text(body);
  const cut = safe.length - MOST_OF_BODY;
  return {
    status,
    headers: shownFields(headers, text),
    body: safe.slice(0, MOST_OF_BODY),
    ...(cut > 0 && { cut }),
  };
}

/** A key, and the name of its variable. */
type Variable = readonly [key: string, name: string];

function variablesOf({ adminKey = '', restrictedKey = '' }: RecorderInputs): readonly Variable[] {
  const variables: readonly Variable[] = [
    [adminKey, 'CONFORMANCE_ADMIN_KEY'],
    [restrictedKey, 'CONFORMANCE_RESTRICTED_KEY'],
  ];
  // One key may be a part of the other one.
  return variables.filter(([key]) => key !== '').sort(([one], [other]) => other.length - one.length);
}

/** A text that was sent, with its variable in place of each key. A short key is told only by itself, as a whole value. */
function withVariables(text: string, variables: readonly Variable[]): string {
  const whole = variables.find(([key]) => key === text);
  if (whole) return `$${whole[1]}`;
  const replaced = (rest: string, form: string, name: string): string =>
    rest.replaceAll(form, (_form, at: number) =>
      /\w/.test(rest[at + form.length] ?? '') ? `\${${name}}` : `$${name}`,
    );
  return variables
    .filter(([key]) => key.length >= SHORTEST_SECRET)
    .flatMap(([key, name]) =>
      [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].map((form) => [form, name] as const),
    )
    .reduce((rest, [form, name]) => replaced(rest, form, name), text);
}

type RecorderInputs = Pick<Inputs, 'baseUrl' | 'adminKey' | 'restrictedKey'>;

/**
 * Makes the recorder of a run.
 *
 * @param moreSecrets texts beside the keys that are withheld
 */
export function makeRecorder(inputs: RecorderInputs, moreSecrets: readonly string[] = []): Recorder {
  const { baseUrl, adminKey = '', restrictedKey = '' } = inputs;
  const variables = variablesOf(inputs);
  const redact = makeRedactor([adminKey, restrictedKey, ...moreSecrets]);
  const base = baseUrl.origin + baseUrl.pathname.replace(/(?<!\/)\/+$/, '');

  // The name of a variable is no key, even if a key reads much like it.
  const text = (each: string): string =>
    each
      .split(VARIABLES)
      .map((part, at) => (at % 2 === 1 ? part : redact(part)))
      .join('');
  const sent = (each: string): string => text(withVariables(each, variables));
  const sentHeader = ({ headers, shell }: Request): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const isReplaced = shell !== undefined && name.toLowerCase() === 'authorization';
        return [name, isReplaced ? shell : sent(value)];
      }),
    );
  const sentUrl = (path: string): string => {
    const [address = '', ...query] = path.split('?');
    // What the suite addresses is no secret, even if a key is a word of it.
    return base + address + (query.length === 0 ? '' : `?${sent(query.join('?'))}`);
  };

  const record: Recorder['record'] = ({ request, response, startedMs, durationMs }) => {
    const { operation, path, body: content } = request;
    const isLatin1 = content !== undefined && typeof content !== 'string' && !isUtf8(content);
    const whole = content === undefined ? undefined : content.toString(...(isLatin1 ? (['latin1'] as const) : []));
    const body = whole === undefined ? undefined : sent(whole).slice(0, MOST_SENT);
    const { method } = route(operation);
    const shown = { method, url: sentUrl(path), headers: sentHeader(request) };
    return {
      request: { ...shown, ...(body !== undefined && { body }) },
      ...(response.lost ? { lost: text(response.lost.detail) } : { response: shownResponse(response, text) }),
      startedMs: tenths(startedMs),
      durationMs: tenths(durationMs),
      curl: toCurl({ ...shown, body, isLatin1 }),
    };
  };

  return { record, text };
}
