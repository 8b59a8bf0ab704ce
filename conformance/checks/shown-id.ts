import { responseSchemaOf } from '../../contract/document.ts';
import { type Exchange, inWords, isAccepted, objectBody, sentBody } from '../http/exchange.ts';
import { acrossOperations, type Check, controlsOf } from '../judging/check.ts';
import { anyBlockedOrUnsent, failed, notObservable, passed } from '../judging/outcomes.ts';
import { operations } from '../operations/index.ts';
import { hasPathId, pathId } from '../target/requests.ts';
import { NAMED_USERS, SHOWN_ID_CHECK } from '../target/user.ts';

/** The operations on one user that show it. */
const SHOWING = operations.filter(({ id }) => hasPathId(id) && responseSchemaOf(id) === 'createUserResponseSchema');
const IDS = SHOWING.map(({ id }) => id);

/** Whose id it is that a response shows. Source: Resources, User, id; Endpoints, PUT user, path parameter. */
export const shownIdCheck: Check = acrossOperations(controlsOf(SHOWING), {
  id: SHOWN_ID_CHECK,
  area: 'update',
  level: 'must',
  requirements: ['update.id-matches-path'],
  title: 'The `id` in the response is the id in the path',
  restsOn: ['user-id'],
  failureModes: {
    'other-id': 'The `id` in the response is not the id in the path. Respond with the user that the path names.',
    'id-from-body': 'The `id` in the response is one that an update sent. Take no `id` from a body.',
  },
  judge: (evidence) => {
    const withId = evidence.exchanges.filter((exchange) => {
      const { operation, subject, meant } = exchange.request;
      const ofNamedUser = NAMED_USERS.some((each) => each === subject) && meant.id === 'valid';
      const showsId = isAccepted(exchange) && typeof objectBody(exchange)?.id === 'number';
      return IDS.includes(operation) && ofNamedUser && showsId;
    });
    // What takes the id from a body that sends one, or keeps it, changes that user, too.
    const isTaken = (exchange: Exchange): boolean =>
      withId.some(
        (each) =>
          each.startedAt <= exchange.startedAt &&
          each.request.subject === exchange.request.subject &&
          sentBody(each.request)?.id === objectBody(exchange)?.id,
      );
    for (const exchange of [...withId.filter((each) => !isTaken(each)), ...withId.filter(isTaken)]) {
      const inPath = Number(pathId(exchange.request));
      const actual = objectBody(exchange)?.id;
      if (actual === inPath) continue;
      const shown = `The id in the path is ${inPath}, the id in the response ${inWords(actual)}`;
      const failure = { expected: inPath, actual, pointer: '/id' };
      if (!isTaken(exchange)) return failed({ ...failure, mode: 'other-id', message: `${shown}.` }, exchange);
      const message = `${shown}: it was taken from the body of an update.`;
      const sameFaultAs = SHOWING.flatMap(({ shows }) => shows.explainedBy?.('id', 'taken') ?? []);
      return { ...failed({ ...failure, mode: 'id-from-body', message }, exchange), sameFaultAs };
    }
    if (withId.length > 0) return passed(withId.slice(0, 1));
    if (evidence.history('user').length === 0) return anyBlockedOrUnsent(evidence, IDS, 'no request was accepted');
    return notObservable('no response has an integer `id`');
  },
});
