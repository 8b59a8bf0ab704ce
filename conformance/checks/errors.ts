import { documentedStatuses, errorName, errorStatuses, type OperationId, schema } from '../../contract/document.ts';
import { ABSENT, type Exchange, objectBody } from '../http/exchange.ts';
import { acrossOperations, type Check, type Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import { goesOn, goingOn } from '../judging/goes-on.ts';
import {
  anyBlockedOrUnsent,
  blockedOrUnsent,
  documentedErrors,
  explainedBy,
  failed,
  notObservable,
  passed,
  preconditionFailed,
  successes,
} from '../judging/outcomes.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../traffic/operation.ts';
import { authenticationChecks } from './authentication.ts';
import { permissionChecks } from './permission.ts';

/**
 * The check whose traffic makes a target respond with an error status, for each operation that documents it. A test names an
 * operation that has none.
 */
function provoking(status: number): Readonly<Partial<Record<OperationId, Check>>> {
  const checkOf = ({ slug, permission, negativeChecks }: Operation): Check | undefined => {
    if (status === 401) return authenticationChecks.find(({ id }) => id === `auth-${slug}-no-header`);
    if (status === 403) return permissionChecks.find(({ id }) => id === `permission-${permission?.[0]?.id ?? 'none'}`);
    return new Map(Object.entries(negativeChecks ?? {})).get(String(status))?.checks[0];
  };
  return Object.fromEntries(
    operations
      .filter(({ id }) => documentedStatuses(id).includes(status))
      .map((operation) => [operation.id, checkOf(operation)] as const)
      .filter(([, check]) => check),
  );
}

const STATUSES = errorStatuses.map((status) => ({ status, byOperation: provoking(status) }));

/** What provokes an error of each operation, by any status. */
export const ANY_ERROR = provoking(401);

function idsOf(byOperation: ReturnType<typeof provoking>): OperationId[] {
  return Object.keys(byOperation) as OperationId[];
}

/** The operations of which errors are seen. */
export const ERROR_OPERATIONS = idsOf(ANY_ERROR);

const NAMES = errorStatuses.map((status) => `${status} \`${errorName(status) ?? ''}\``).join(', ');
const ERROR_MEMBERS = schema('errorSchema').required ?? [];

/** Judges one response; undefined if nothing is wrong. */
export type JudgeExchange = (exchange: Exchange, evidence: Evidence) => Judgement | undefined;

/** What an error response shows beside its form: that the target carried the request out all the same. */
function wentOn(exchange: Exchange, evidence: Evidence): { readonly deviation?: string; readonly why: string } {
  const deviation = goesOn(exchange, evidence) ? goingOn(exchange.response?.status, evidence) : undefined;
  return deviation === undefined ? { why: '' } : { deviation, why: ' The target goes on after it refused.' };
}

function unseenAt(evidence: Evidence, operations: readonly OperationId[], unseen: string): Judgement {
  return operations.some((operation) => evidence.blocked[operation])
    ? anyBlockedOrUnsent(evidence, operations, unseen)
    : notObservable(unseen);
}

/** Judges each of some responses: the first that is wrong decides, and the others that are show the same. */
export function judgeEach(
  evidence: Evidence,
  operations: readonly OperationId[],
  exchanges: readonly Exchange[],
  unseen: string,
  judge: JudgeExchange,
): Judgement {
  const [first, ...others] = exchanges.flatMap((exchange) => judge(exchange, evidence) ?? []);
  if (first)
    return first.outcome === 'failed' ? { ...first, alsoShownBy: others.flatMap((each) => each.exchanges) } : first;
  return exchanges.length > 0 ? passed(exchanges.slice(0, 1)) : unseenAt(evidence, operations, unseen);
}

const judgeBody: JudgeExchange = (exchange, evidence) => {
  const { json, status } = exchange.response ?? {};
  const actual = json?.ok ? json.value : undefined;
  const [violation] = evidence.validators.bodies.errorSchema(actual);
  if (!violation) return undefined;
  const expected = `an object with the strings ${ERROR_MEMBERS.join(', ')}`;
  const { pointer } = violation;
  const what = pointer === '' ? `it ${violation.message}` : `\`${pointer.slice(1)}\` ${violation.message}`;
  const { why, ...deviation } = wentOn(exchange, evidence);
  const message = `The body of a ${status ?? ''} response is not an error body: ${what}.${why}`;
  return failed({ mode: 'wrong-error-body', expected, actual, pointer, message, ...deviation }, exchange);
};

function hasJson({ response }: Exchange): boolean {
  return response?.json.ok === true;
}

/** What a body without `id` or `message` calls `name` is not the name of an error. */
function isErrorBody(exchange: Exchange, { validators }: Evidence): boolean {
  return validators.bodies.errorSchema(objectBody(exchange)).length === 0;
}

const judgeName: JudgeExchange = (exchange) => {
  const status = exchange.response?.status ?? 0;
  const expected = errorName(status);
  const actual = objectBody(exchange)?.name;
  if (actual === expected) return undefined;
  const message = `A ${status} response has the error name ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}.`;
  return failed({ mode: 'wrong-error-name', expected, actual, pointer: '/name', message }, exchange);
};

/** The checks of error bodies, without which nothing can be said of what they contain. */
export const BODY_CHECKS = ['json-error', ...errorStatuses.map((status) => `error-body-${status}`)];

const bodies: Check[] = STATUSES.flatMap(({ status, byOperation }) => {
  const name = errorName(status) ?? '';
  const provoked = Object.values(byOperation).map(({ id }) => id);
  const judge =
    (
      judgeExchange: JudgeExchange,
      canBeJudged: (exchange: Exchange, evidence: Evidence) => boolean,
      restsOn: readonly string[],
    ) =>
    (evidence: Evidence): Judgement => {
      const seen = documentedErrors(evidence).filter(({ response }) => response?.status === status);
      const exchanges = seen.filter((exchange) => canBeJudged(exchange, evidence));
      if (seen.length > 0 && exchanges.length === 0)
        return { ...preconditionFailed(`no ${status} response has such a body`, seen.slice(0, 1)), restsOn };
      const unseen = `no request of the run got the response ${status}`;
      return explainedBy(judgeEach(evidence, idsOf(byOperation), exchanges, unseen, judgeExchange), ...provoked);
    };
  return [
    acrossOperations(byOperation, {
      id: `error-body-${status}`,
      area: 'errors',
      level: 'must',
      requirements: ['errors.body'],
      title: `Every ${status} response has an error body with the strings ${ERROR_MEMBERS.join(', ')}`,
      failureModes: {
        'wrong-error-body':
          'The body of an error is not an object with the strings `id`, `name` and `message`. Give every error this body.',
      },
      judge: judge(judgeBody, hasJson, ['json-error']),
    }),
    acrossOperations(byOperation, {
      id: `error-name-${status}`,
      area: 'errors',
      level: 'must',
      requirements: ['errors.name'],
      title: `Every ${status} response has the error name ${name}`,
      failureModes: {
        'wrong-error-name': `The \`name\` in an error body does not match the status. Use the name that the contract gives to each status: ${NAMES}.`,
      },
      judge: judge(judgeName, isErrorBody, [`error-body-${status}`, 'json-error']),
    }),
  ];
});

const JSON_MEDIA_TYPE = /^(application|text)\/([\w.!#$&^-]+\+)?json\s*(;|$)/i;

const judgeMediaType: JudgeExchange = (exchange, evidence) => {
  const { status, headers, json, text } = exchange.response ?? {};
  const contentType = headers?.['content-type'];
  if (contentType !== undefined && JSON_MEDIA_TYPE.test(contentType.trim()) && json?.ok) return undefined;
  if (json && !json.ok) {
    const { why, ...deviation } = wentOn(exchange, evidence);
    const message = `The body of a ${status ?? ''} response cannot be read as JSON: ${json.reason}.${why}`;
    return failed({ mode: 'not-json', expected: 'a JSON text', actual: text ?? '', message, ...deviation }, exchange);
  }
  const message = `The Content-Type of a ${status ?? ''} response is ${contentType === undefined ? 'missing' : JSON.stringify(contentType)}, expected a JSON media type.`;
  return failed(
    { mode: 'wrong-media-type', expected: 'application/json', actual: contentType ?? ABSENT, message },
    exchange,
  );
};

const MEDIA_TYPE_CHECK = {
  area: 'errors',
  level: 'must',
  requirements: ['bodies.json'],
  failureModes: {
    'not-json': 'The body of a response is not JSON. Send JSON in UTF-8, and nothing before or after it.',
    'wrong-media-type':
      'The Content-Type of a response is missing, or is not that of JSON. Send `Content-Type: application/json`.',
  },
} as const;

function successMediaTypeCheck({ id, shown, control }: Operation): Check {
  return {
    ...MEDIA_TYPE_CHECK,
    id: `json-${shown}`,
    title: `Every 200 response of ${id} is JSON by its Content-Type and its body`,
    operations: [id],
    needs: control.traffic.needs,
    uses: [control.traffic],
    judge: (evidence) => {
      const exchanges = successes(evidence, id);
      if (exchanges.length === 0) return blockedOrUnsent(evidence, id, 'there was no such response');
      return judgeEach(evidence, [id], exchanges, 'there was no such response', judgeMediaType);
    },
  };
}

const errorMediaType = acrossOperations(ANY_ERROR, {
  ...MEDIA_TYPE_CHECK,
  id: 'json-error',
  title: 'Every documented error response is JSON by its Content-Type and its body',
  judge: (evidence) => {
    const exchanges = documentedErrors(evidence);
    if (exchanges.length === 0) {
      const judgement = anyBlockedOrUnsent(evidence, ERROR_OPERATIONS, 'there was no such response');
      return explainedBy(judgement, ...BODY_CHECKS);
    }
    return judgeEach(evidence, ERROR_OPERATIONS, exchanges, 'there was no such response', judgeMediaType);
  },
});

const distinctIds = acrossOperations(ANY_ERROR, {
  id: 'error-id-distinct',
  area: 'errors',
  level: 'should',
  requirements: ['errors.id-per-instance'],
  title: 'No two error responses have the same `id`',
  failureModes: { 'repeated-id': 'Two error responses have the same `id`. Make a new id for each error.' },
  judge: (evidence) => {
    const errors = documentedErrors(evidence).filter((each) => typeof objectBody(each)?.id === 'string');
    const first = new Map<unknown, Exchange>();
    for (const exchange of errors) {
      const id = objectBody(exchange)?.id;
      const earlier = first.get(id);
      if (earlier) {
        const message = `Two error responses have the same id ${JSON.stringify(id)}.`;
        return failed(
          { mode: 'repeated-id', expected: 'a unique id', actual: id, pointer: '/id', message },
          earlier,
          exchange,
        );
      }
      first.set(id, exchange);
    }
    if (errors.length > 1) return passed(errors.slice(0, 2));
    return explainedBy(
      unseenAt(evidence, ERROR_OPERATIONS, 'fewer than two errors with an id were seen'),
      ...BODY_CHECKS,
    );
  },
});

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorChecks: readonly Check[] = [
  ...bodies,
  ...operations.map(successMediaTypeCheck),
  errorMediaType,
  distinctIds,
];
