import { objectBody } from '../http/exchange.ts';
import { internalsIn } from '../model/internals.ts';
import { acrossOperations, type Check } from '../judging/check.ts';
import { documentedErrors, explainedBy, failed } from '../judging/outcomes.ts';
import { ANY_ERROR, BODY_CHECKS, ERROR_OPERATIONS, judgeEach, type JudgeExchange } from './errors.ts';

const judgeMessage: JudgeExchange = (exchange) => {
  const actual = objectBody(exchange)?.message;
  if (String(actual).trim() !== '') return undefined;
  const message = `The \`message\` of a ${exchange.response?.status ?? ''} response is empty.`;
  return failed({ mode: 'empty', expected: 'a description', actual, pointer: '/message', message }, exchange);
};

const judgeInternals: JudgeExchange = (exchange) => {
  const actual = exchange.response && internalsIn(exchange.response);
  if (actual === undefined) return undefined;
  const { request, response } = exchange;
  const message = `${request.purpose}: the ${response?.status ?? ''} response shows ${actual}.`;
  return failed({ mode: 'internals-shown', expected: 'a description for clients', actual, message }, exchange);
};

const message = acrossOperations(ANY_ERROR, {
  id: 'error-message-given',
  area: 'errors',
  level: 'should',
  requirements: ['errors.message'],
  title: 'The `message` of an error is not empty',
  failureModes: { empty: 'An error has an empty `message`. Say what was wrong with the request.' },
  judge: (evidence) => {
    const errors = documentedErrors(evidence).filter((each) => typeof objectBody(each)?.message === 'string');
    const judgement = judgeEach(evidence, ERROR_OPERATIONS, errors, 'no error with a message was seen', judgeMessage);
    return explainedBy(judgement, ...BODY_CHECKS);
  },
});

const noInternals = acrossOperations(ANY_ERROR, {
  id: 'error-shows-no-internals',
  area: 'errors',
  level: 'should',
  requirements: ['errors.no-internals'],
  title: 'No error shows a stack trace, a query or a message of the database',
  failureModes: {
    'internals-shown':
      'An error shows how the server works inside. Write it to the log, and describe the request instead.',
  },
  judge: (evidence) => {
    const errors = evidence.exchanges.filter(({ response }) => (response?.status ?? 0) >= 400);
    return explainedBy(
      judgeEach(evidence, ERROR_OPERATIONS, errors, 'no error was seen', judgeInternals),
      ...BODY_CHECKS,
    );
  },
});

/** What errors say. Source: Resources, Error body, message. */
export const errorContentChecks: readonly Check[] = [message, noInternals];
