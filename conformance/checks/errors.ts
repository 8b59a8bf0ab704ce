import { errorName, schema } from '../../contract/document.ts';
import type { Check, Evidence, Judgement, Traffic } from '../judging/check.ts';
import { ABSENT, objectBody, type Exchange } from '../http/exchange.ts';
import type { InputName } from '../target/inputs.ts';
import { authenticationChecks } from './authentication.ts';
import { BANNERS } from '../operations/list-banners/checks.ts';
import { documentedErrors, failed, laneObstacle, notObservable, passed, successes } from '../judging/outcomes.ts';
import { missingUserChecks } from '../operations/update-user/missing-user.ts';
import { permissionChecks } from './permission.ts';
import { requestBodyChecks } from '../operations/update-user/request-body.ts';
import { CONTROL_SCENARIOS } from '../operations/update-user/scenarios.ts';

/** The traffic of a check that makes a target answer a status. */
function provoking(checks: readonly Check[], id: string): { uses: readonly Traffic[]; needs: readonly InputName[] } {
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`There is no check ${id}.`);
  return { uses: found.uses, needs: found.needs };
}

const STATUSES = [
  { status: 400, ...provoking(requestBodyChecks, 'body-name-number') },
  { status: 401, ...provoking(authenticationChecks, 'auth-update-no-header') },
  { status: 403, ...provoking(permissionChecks, 'permission-name') },
  { status: 404, ...provoking(missingUserChecks, 'missing-user-refused') },
];

/** Both operations are answered 401, and only this. */
const BANNERS_ERRORS = provoking(authenticationChecks, 'auth-banners-no-header');

const ERROR_MEMBERS = schema('errorSchema').required ?? [];

type JudgeExchange = (exchange: Exchange, evidence: Evidence) => Judgement | undefined;

function judgeEach(evidence: Evidence, exchanges: readonly Exchange[], what: string, judge: JudgeExchange): Judgement {
  for (const exchange of exchanges) {
    const judgement = judge(exchange, evidence);
    if (judgement) return judgement;
  }
  if (exchanges.length > 0) return passed(exchanges.slice(0, 1));
  return evidence.blocked.users ? laneObstacle(evidence, 'users', what) : notObservable(what);
}

const judgeBody: JudgeExchange = (exchange, { validators }) => {
  const { json, text, status } = exchange.response ?? { text: '' };
  const value = json?.ok ? json.value : undefined;
  const [violation] = json?.ok ? validators.bodies.errorSchema(value) : [];
  if (json?.ok && !violation) return undefined;
  const actual = json?.ok ? value : text;
  const expected = `an object with the strings ${ERROR_MEMBERS.join(', ')}`;
  const reason =
    json?.ok === false ? json.reason : `${violation?.pointer.slice(1) ?? ''} ${violation?.message ?? ''}`.trim();
  const message = `The body of the ${status ?? ''} is no error body: ${reason}.`;
  const pointer = violation?.pointer ?? '';
  return failed({ mode: 'wrong-error-body', expected, actual, pointer, message }, exchange);
};

const judgeName: JudgeExchange = (exchange) => {
  const status = exchange.response?.status ?? 0;
  const expected = errorName(status);
  const actual = objectBody(exchange)?.name;
  if (actual === expected) return undefined;
  const carried = actual === undefined ? 'no error name' : `the error name ${JSON.stringify(actual)}`;
  const message = `A ${status} carries ${carried}, expected ${JSON.stringify(expected)}.`;
  return failed(
    { mode: 'wrong-error-name', expected, actual: actual === undefined ? ABSENT : actual, pointer: '/name', message },
    exchange,
  );
};

const bodies: Check[] = STATUSES.flatMap(({ status, uses, needs }) => {
  const name = errorName(status) ?? '';
  const answered = (evidence: Evidence): Exchange[] =>
    documentedErrors(evidence).filter(({ response }) => response?.status === status);
  const unseen = `no request of the run was answered ${status}`;
  const onBanners = status === 401 ? { onBanners: BANNERS_ERRORS } : {};
  const shared = { area: 'errors', level: 'must', lane: 'users', needs, uses, ...onBanners } as const;
  return [
    {
      ...shared,
      id: `error-body-${status}`,
      requirements: ['errors.body'],
      title: `Every ${status} of the run has an error body of the strings ${ERROR_MEMBERS.join(', ')}`,
      failureModes: {
        'wrong-error-body':
          'The body of an error is not an object with the strings `id`, `name` and `message`. Give every error this body.',
      },
      judge: (evidence: Evidence) => judgeEach(evidence, answered(evidence), unseen, judgeBody),
    },
    {
      ...shared,
      id: `error-name-${status}`,
      requirements: ['errors.name'],
      title: `Every ${status} of the run has the error name ${name}`,
      failureModes: {
        'wrong-error-name':
          'The `name` in the body of an error is not the one that belongs to its status. Use the name that the contract gives to this status.',
      },
      judge: (evidence: Evidence) => judgeEach(evidence, answered(evidence), unseen, judgeName),
    },
  ];
});

const JSON_MEDIA_TYPE = /^(application|text)\/([\w.!#$&^-]+\+)?json\s*(;|$)/i;

const judgeMediaType: JudgeExchange = (exchange) => {
  const { headers, json, text } = exchange.response ?? {};
  const contentType = headers?.['content-type'];
  if (contentType !== undefined && JSON_MEDIA_TYPE.test(contentType.trim()) && json?.ok) return undefined;
  if (json && !json.ok) {
    const message = `In this answer ${json.reason}.`;
    return failed({ mode: 'not-json', expected: 'a JSON text', actual: text ?? '', message }, exchange);
  }
  const message = `The Content-Type is ${contentType === undefined ? 'missing' : JSON.stringify(contentType)}, expected a JSON media type.`;
  return failed(
    { mode: 'wrong-media-type', expected: 'application/json', actual: contentType ?? ABSENT, message },
    exchange,
  );
};

const MEDIA_TYPE_MODES = {
  'not-json': 'The body of an answer cannot be read as JSON. Send JSON in UTF-8, and nothing before or after it.',
  'wrong-media-type':
    'The Content-Type of an answer is missing, or is not that of JSON. Send `Content-Type: application/json`.',
};

function mediaTypeCheck(
  given: Pick<Check, 'id' | 'title' | 'lane' | 'needs' | 'uses' | 'onBanners'>,
  exchangesOf: (evidence: Evidence) => readonly Exchange[],
): Check {
  const { lane } = given;
  return {
    ...given,
    area: 'errors',
    level: 'must',
    requirements: ['bodies.json'],
    failureModes: MEDIA_TYPE_MODES,
    judge: (evidence) => {
      const exchanges = exchangesOf(evidence);
      if (exchanges.length === 0) return laneObstacle(evidence, lane, 'no such answer was seen');
      return judgeEach(evidence, exchanges, 'no such answer was seen', judgeMediaType);
    },
  };
}

const mediaTypes = [
  mediaTypeCheck(
    {
      id: 'json-user',
      title: 'Every 200 to an update is JSON by its Content-Type and its body',
      lane: 'users',
      needs: ['adminKey', 'userId'],
      uses: [CONTROL_SCENARIOS.name],
    },
    (evidence) => successes(evidence, 'updateUser'),
  ),
  mediaTypeCheck(
    {
      id: 'json-banners',
      title: 'The 200 with the banners is JSON by its Content-Type and its body',
      lane: 'banners',
      needs: ['adminKey'],
      uses: [BANNERS],
    },
    (evidence) => successes(evidence, 'listBanners'),
  ),
  mediaTypeCheck(
    {
      id: 'json-error',
      title: 'Every documented error is JSON by its Content-Type and its body',
      lane: 'users',
      needs: STATUSES[0]?.needs ?? [],
      uses: STATUSES.slice(0, 2).flatMap(({ uses }) => uses),
      onBanners: BANNERS_ERRORS,
    },
    documentedErrors,
  ),
];

const distinctIds: Check = {
  id: 'error-id-distinct',
  area: 'errors',
  level: 'should',
  requirements: ['errors.id-per-instance'],
  title: 'No two errors of the run have the same `id`',
  lane: 'users',
  needs: STATUSES[0]?.needs ?? [],
  uses: STATUSES.slice(0, 2).flatMap(({ uses }) => uses),
  onBanners: BANNERS_ERRORS,
  failureModes: { 'repeated-id': 'Two errors carry the same `id`. Make a new id for each error that is answered.' },
  judge: (evidence) => {
    const errors = documentedErrors(evidence).filter((each) => typeof objectBody(each)?.id === 'string');
    const first = new Map<unknown, Exchange>();
    for (const exchange of errors) {
      const id = objectBody(exchange)?.id;
      const earlier = first.get(id);
      if (earlier) {
        const message = `Two errors have the id ${JSON.stringify(id)}.`;
        return failed(
          { mode: 'repeated-id', expected: 'an id of its own', actual: id, pointer: '/id', message },
          earlier,
          exchange,
        );
      }
      first.set(id, exchange);
    }
    if (errors.length > 1) return passed(errors.slice(0, 2));
    return evidence.blocked.users
      ? laneObstacle(evidence, 'users', '')
      : notObservable('fewer than two errors with an id were seen');
  },
};

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorChecks: readonly Check[] = [...bodies, ...mediaTypes, distinctIds];
