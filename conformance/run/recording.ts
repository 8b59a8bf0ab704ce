import { hash } from 'node:crypto';
import { legibleJson, mapStrings } from '../../common/text.ts';
import { isRecord, parsedJson } from '../../common/json.ts';
import { UsageError } from '../../common/process/args.ts';
import { LEAST_KEY } from '../http/credentials.ts';
import type { Due } from '../http/due.ts';
import type { Credential, Exchange, RequestSpec, ResponseRecord } from '../http/exchange.ts';
import { makeRedactor, type Redact, WITHHELD } from '../http/redact.ts';
import type { Blocked, Exploration, ExplorationFinding, Recording } from '../model/recording/recording.ts';
import type { EarlierFinding } from '../result/again.ts';
import { jsonIn } from '../result/read-result.ts';
import type { Result } from '../result/result.ts';
import type { Inputs } from '../resources/inputs.ts';

/** The version of the format; it rises with every change, and a file of another version is not read. */
export const RECORDING_VERSION = 1;

/** All that the result of a run is made from, but for what is selected anew whenever it is judged. */
export interface RunRecord {
  readonly recording: Recording;
  readonly selection: Pick<Result['selection'], 'only' | 'skip' | 'failOn'>;
  /** The findings of an earlier result that were looked for again. */
  readonly again?: readonly EarlierFinding[];
  /** Whether sequences were to be explored. */
  readonly explores: boolean;
  readonly restoration: Result['restoration'];
  /** The hints need the keys, so they are kept as the run made them; `isAnother`: what responded is not the API. */
  readonly hints: NonNullable<Result['hints']>;
  readonly isAnother: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly moreRequests?: string;
  readonly interrupted: boolean;
  /** The message of an error of the suite that left nothing to be judged. */
  readonly error?: string;
}

/** Stands where a key was, with a number for each text that had one, so that different texts stay different. */
const MARK = 'a key was here';

/** Withholds what a key was in, as the run itself did. */
export const redactMarks: Redact = makeRedactor([MARK]);

function makeMarking(redact: Redact): Redact {
  const numbers = new Map<string, number>();
  return (text) => {
    const shown = redact(text);
    if (shown === text) return text;
    numbers.set(text, numbers.get(text) ?? numbers.size + 1);
    return shown.replaceAll(WITHHELD, `[${MARK}: ${numbers.get(text) ?? 0}]`);
  };
}

/** A list in which equal things are kept once, and the function that gives the index of a thing. */
function makeTable<T, Kept>(keep: (each: T) => Kept, keyOf: (each: T) => unknown = (each) => each) {
  const indices = new Map<unknown, number>();
  const kept: Kept[] = [];
  const indexOf = (each: T): number => {
    const key = keyOf(each);
    const known = indices.get(key);
    if (known !== undefined) return known;
    indices.set(key, kept.length);
    return kept.push(keep(each)) - 1;
  };
  return { kept, indexOf };
}

/** Of a text that is kept whole, its value is read again. */
interface KeptBody extends Pick<ResponseRecord, 'text' | 'cut'> {
  readonly value?: unknown;
  readonly notJson?: string;
}

type KeptRequest = Omit<RequestSpec, 'due'> & { readonly due: number };
interface KeptExchange extends Omit<Exchange, 'request' | 'response'> {
  readonly request: KeptRequest;
  readonly response?: Pick<ResponseRecord, 'status' | 'headers'> & { readonly body: number };
}

/** A credential without the key, but with where it was. */
function withoutKey({ header, query, otherHeaders, shell, ...told }: Credential, mark: Redact): Credential {
  return {
    ...told,
    ...(shell !== undefined && { shell: mark(shell) }),
    ...(header !== undefined && { header: header.trim() === '' ? header : MARK }),
    ...(query !== undefined && { query: MARK }),
    ...(otherHeaders && { otherHeaders: mapStrings(otherHeaders, (text) => (text in otherHeaders ? text : MARK)) }),
  };
}

/** Inputs without the keys; that a key is long enough not to occur by chance stays. */
function keptInputs({ baseUrl, adminKey, restrictedKey, ...told }: Inputs) {
  const mark = (key: string): string => (key.length < LEAST_KEY ? 'a key' : MARK);
  return {
    baseUrl: baseUrl.href,
    ...told,
    ...(adminKey !== undefined && { adminKey: mark(adminKey) }),
    ...(restrictedKey !== undefined && { restrictedKey: mark(restrictedKey) }),
  };
}

function contentOf({ recording, ...told }: RunRecord, redact: Redact) {
  const mark = makeMarking(redact);
  const dues = makeTable((due: Due) => due, JSON.stringify);
  const bodies = makeTable(
    ({ text, cut, json }: ResponseRecord): KeptBody => {
      const shown = { text: mark(text), ...(cut && { cut: { ...cut, shows: [] } }) };
      if (!json.ok) return { ...shown, notJson: mark(json.reason) };
      return cut || shown.text !== text ? { ...shown, value: mapStrings(json.value, mark) } : shown;
    },
    ({ json }) => json,
  );
  const exchanges = makeTable(({ request, response, transportError, ...times }: Exchange): KeptExchange => ({
    ...times,
    request: {
      ...request,
      credential: withoutKey(request.credential, mark),
      ...(request.body !== undefined && { body: mark(request.body) }),
      due: dues.indexOf(request.due),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: mapStrings(response.headers, mark),
        body: bodies.indexOf(response),
      },
    }),
    ...(transportError && { transportError: { ...transportError, detail: mark(transportError.detail) } }),
  }));
  const listed = (list: readonly Exchange[]): number[] => list.map(exchanges.indexOf);
  const { exploration, blocked, inputs, disturbed, givenUp } = recording;
  const { finding, ...explored } = exploration ?? {};
  return {
    ...told,
    recording: {
      inputs: keptInputs(inputs),
      exchanges: listed(recording.exchanges),
      lastReadings: listed(recording.lastReadings),
      restoring: listed(recording.restoring),
      blocked: Object.fromEntries(
        Object.entries(blocked).map(([operation, { exchange, ...why }]) => [
          operation,
          { ...mapStrings(why, mark), ...(exchange && { exchange: exchanges.indexOf(exchange) }) },
        ]),
      ),
      notBuildable: [...recording.notBuildable],
      errors: [...recording.errors].map(([item, { message }]) => [item, mark(message)] as const),
      more: [...recording.more],
      stopped: recording.stopped,
      ...(disturbed !== undefined && { disturbed: mark(disturbed) }),
      ...(givenUp && { givenUp: { ...givenUp, detail: mark(givenUp.detail) } }),
      ...(exploration && {
        exploration: {
          ...explored,
          witnesses: listed(exploration.witnesses),
          ...(finding && {
            finding: { ...mapStrings({ ...finding, exchanges: [] }, mark), exchanges: listed(finding.exchanges) },
          }),
        },
      }),
    },
    dues: dues.kept,
    bodies: bodies.kept,
    exchanges: exchanges.kept,
  };
}

type Content = ReturnType<typeof contentOf>;

function digestOf(content: unknown): string {
  return hash('sha256', JSON.stringify(content));
}

/** What a run left, as the text of a file: without keys, and enough to judge it again. */
export function recordingText(run: RunRecord, redact: Redact): string {
  const content = contentOf(run, redact);
  return legibleJson({ recordingVersion: RECORDING_VERSION, digest: digestOf(content), ...content });
}

function bodyOf({ value, notJson, ...told }: KeptBody): Pick<ResponseRecord, 'text' | 'cut' | 'json'> {
  if (notJson !== undefined) return { ...told, json: { ok: false, reason: notJson } };
  return {
    ...told,
    json: { ok: true, value: value === undefined ? parsedJson(told.text.replace(/^\uFEFF/, '')) : value },
  };
}

function recordOf({ dues, bodies, exchanges: all, recording, ...told }: Content): RunRecord {
  const read = bodies.map(bodyOf);
  const exchanges = all.map(({ request, response, ...times }): Exchange => {
    const body = response && read[response.body];
    const due = dues[request.due];
    if (!due || (response && !body)) throw new RangeError('a body or a due is missing');
    return {
      ...times,
      request: { ...request, due },
      ...(response && body && { response: { status: response.status, headers: response.headers, ...body } }),
    };
  });
  const at = (index: number): Exchange => {
    const found = exchanges[index];
    if (!found) throw new RangeError('an exchange is missing');
    return found;
  };
  const { inputs, exploration, blocked, notBuildable, errors, more, ...rest } = recording;
  const { finding } = exploration ?? {};
  return {
    ...told,
    recording: {
      ...rest,
      inputs: { ...inputs, baseUrl: new URL(inputs.baseUrl) },
      exchanges: recording.exchanges.map(at),
      lastReadings: recording.lastReadings.map(at),
      restoring: recording.restoring.map(at),
      blocked: Object.fromEntries(
        Object.entries(blocked).map(([operation, { exchange, ...why }]): [string, Blocked] => [
          operation,
          { ...(why as Blocked), ...(exchange !== undefined && { exchange: at(exchange) }) },
        ]),
      ),
      notBuildable: new Set(notBuildable),
      errors: new Map(errors.map(([item, message]) => [item, new Error(message)])),
      more: new Set(more),
      ...(exploration && {
        exploration: {
          ...(exploration as unknown as Exploration),
          witnesses: exploration.witnesses.map(at),
          ...(finding && {
            finding: {
              ...(finding as unknown as Omit<ExplorationFinding, 'exchanges'>),
              exchanges: finding.exchanges.map(at),
            },
          }),
        },
      }),
    },
  };
}

/**
 * Reads the text of a recording.
 *
 * @param name of the file, for error messages
 * @throws UsageError that names the file and what is wrong in it
 */
export function parseRecording(name: string, text: string): RunRecord {
  const value = jsonIn(name, text, 'a recording');
  const { recordingVersion: version, digest, ...content } = isRecord(value) ? value : {};
  if (typeof version !== 'number')
    throw new UsageError(`${name}: it is not a recording; "run --report recording=PATH" writes one.`);
  if (version !== RECORDING_VERSION)
    throw new UsageError(
      `${name}: it has recordingVersion ${version}, and this version of admin-api-conformance reads ${RECORDING_VERSION}; record the run again.`,
    );
  if (digest !== digestOf(content))
    throw new UsageError(`${name}: it is not as it was written (its digest is another); record the run again.`);
  return recordOf(content as unknown as Content);
}
