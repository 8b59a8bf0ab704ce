import { setTimeout as sleep } from 'node:timers/promises';
import type { User } from '../../../contract/document.ts';
import { Refused } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { turnsOfTheLoop } from '../../wire/wire-server.ts';
import { breaking } from '../../table.ts';
import { sentId, sentMembers } from '../requests.ts';
import { changes } from '../responses.ts';
import { type Body, isUpdate, sent, updating, valuesSent } from './updates.ts';

/** Whether an update sends, of these members, only values that are already stored. */
function repeats(before: User, body: Body): boolean {
  return sent(body).length > 0 && sent(body).every((member) => body[member] === before[member]);
}

function repeatedRefused(status: number, which: (body: Body) => boolean = () => true): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    if (repeats(user, body) && which(body)) throw new Refused(status, 'Nothing was changed.');
    return apply(store, user, body);
  });
}

/** What a server does between the reading of a user and its writing: long enough for a concurrent update to arrive. */
async function work(): Promise<void> {
  await sleep(5);
  await turnsOfTheLoop();
}

/** Repeated and concurrent updates. Source: Endpoints, PUT user, rule. */
export const repetitionDefects: readonly WrittenDefect[] = [
  ...breaking('update.repeatable', {
    'repeated-update-conflicts: The server responds 409 to an update that changes nothing.': repeatedRefused(409),
    'repeated-update-invalid: The server responds 400 to an update that changes nothing.': repeatedRefused(400),
    'own-email-counts-as-taken: The server refuses the e-mail address that the user already has, as if it were taken.':
      repeatedRefused(400, (body) => 'email' in body),
    'repeated-update-fails: The server fails on an update that changes no row.': repeatedRefused(500),
    'repeated-name-numbered: The server appends a number to a name that is in use, even by the user itself.': updating(
      ({ before, body }) => body.name === before.name,
      ({ after }) => ({ name: `${String(after.name)} (2)` }),
    ),
    'repeated-email-emptied: An update of only the e-mail address that the user already has removes it.': updating(
      ({ before, body }) => sent(body).join() === 'email' && body.email === before.email,
      { email: '' },
    ),
  }),
  ...breaking('update.concurrent-fields', {
    'update-writes-whole-user-back: An update reads the user, takes some time, and then writes the whole user.': {
      around:
        (handle, { users }) =>
        async (request) => {
          const id = Number(sentId(request));
          const copy = users.get(id);
          await work();
          const answer = handle(request);
          const members = valuesSent(sentMembers(request));
          if (copy && isUpdate({ request }) && answer.status === 200 && Object.keys(members).length > 0)
            users.set(id, { ...copy, ...members });
          return answer;
        },
    },
  }),
  ...breaking('update.concurrent-users', {
    'update-keeps-body-in-one-place: All requests share one place for the body of an update while the server works.': {
      around: (handle, store) => {
        let kept: Record<string, unknown> = {};
        return async (request) => {
          kept = sentMembers(request);
          await work();
          const answer = handle(request);
          const { name, email } = kept;
          const isText = typeof name === 'string' && typeof email === 'string';
          if (isUpdate({ request }) && answer.status === 200 && isText)
            changes(Number(sentId(request)), { name, email })({ store });
          return answer;
        };
      },
    },
  }),
];
