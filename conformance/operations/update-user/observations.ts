import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../common/json.ts';
import { schema } from '../../../contract/document.ts';
import { isAccepted, objectBody, sends, sentBody } from '../../http/exchange.ts';
import { byStatus, distinct, type Observed, type Observer, type Observers, respondedTo } from '../../model/observer.ts';
import type { Probe } from '../../model/recording/items.ts';
import { shownUser } from '../../resources/user/state.ts';
import { UNKNOWN_MEMBER } from '../../resources/user/members.ts';
import { EMPTY_UPDATE } from './due.ts';
import { EMPTY_BODY } from './scenarios.ts';
import { UNUSUAL_NAMES, unusualNameChecks } from './updates/unusual-bodies.ts';

function observationProbe(id: string, build: Probe['build']): Probe {
  return {
    id: `observe-${id}`,
    operation: 'updateUser',
    needs: ['adminKey', 'userId'],
    build,
    phase: 'control',
  };
}

function contentTypeProbe(id: string, purpose: string, contentType: string | null): Probe {
  return observationProbe(id, (requests) =>
    requests.build('updateUser', {
      subject: 'user',
      purpose,
      body: requests.noChange(),
      meantBody: 'unspecified',
      contentType,
    }),
  );
}

const contentTypes = { accepted: 'accepted', 400: 'refused-400', 415: 'refused-415' };
const noContentType = contentTypeProbe('content-type-absent', 'An update without a Content-Type', null);
const otherContentType = contentTypeProbe('content-type-other', 'An update sent as text/plain', 'text/plain');

const unknownMember = observationProbe('unknown-members', (requests) =>
  requests.build('updateUser', {
    subject: 'user',
    purpose: 'An update with a member that the contract does not list',
    body: JSON.stringify({ ...(JSON.parse(requests.noChange()) as object), [UNKNOWN_MEMBER]: true }),
    meantBody: 'valid',
  }),
);

/** Other spellings of a path id, each with a name that does not depend on the id. */
const spellings = [
  { called: '0N', spell: (id: string) => id.replace(/^-?/, '$&0') },
  { called: 'N.0', spell: (id: string) => `${id}.0` },
  { called: '+N', spell: (id: string) => (id.startsWith('-') ? undefined : `+${id}`) },
].map(({ called, spell }, index) => ({
  called,
  probe: observationProbe(`integer-spelling-${index + 1}`, (requests) => {
    const segment = spell(requests.idOf('user'));
    if (segment === undefined) return undefined;
    return requests.build('updateUser', {
      subject: 'user',
      purpose: `An update with the path id ${segment}`,
      segment,
      meantId: 'unspecified',
      body: requests.noChange(),
      meantBody: 'valid',
    });
  }),
}));

const userMembers = Object.keys(schema('createUserResponseSchema').properties);

/** An open point about the users in all responses; nothing is observed if no response shows one. */
function onUsers(observe: (users: readonly Record<string, unknown>[]) => Observed): Observer {
  return {
    observe: ({ exchanges }) => {
      const updates = exchanges.filter(({ request }) => request.operation === 'updateUser');
      const users = updates
        .filter(isAccepted)
        .flatMap((exchange): Record<string, unknown>[] => [objectBody(exchange) ?? []].flat());
      return users.length === 0 ? undefined : observe(users);
    },
  };
}

function shapeOfRole(role: unknown): 'integer' | 'object' | 'other' {
  if (Number.isInteger(role)) return 'integer';
  return isRecord(role) ? 'object' : 'other';
}

const NAME_CHECKS = new Set(unusualNameChecks);
const isOfName = (check: string): boolean => NAME_CHECKS.has(check);

/** The open points about an update. */
export const observers: Observers = {
  'open.error-precedence': byStatus('missing-user-invalid-body', {
    400: 'invalid-body-first',
    404: 'missing-user-first',
    accepted: 'other',
  }),
  'open.permission-precedence': byStatus('permission-invalid-body', {
    403: 'permission-first',
    400: 'invalid-body-first',
    accepted: 'other',
  }),
  'open.empty-body': {
    uses: [EMPTY_BODY],
    observe: ({ exchanges }) => {
      const empty = exchanges.find(({ request }) => isDeepStrictEqual(request.due, EMPTY_UPDATE));
      const status = empty?.response?.status;
      if (status === undefined) return undefined;
      if (status === 200) return 'accepted';
      return status === 400 ? 'refused' : { observed: 'other', detail: status };
    },
  },
  'open.content-type-absent': byStatus(noContentType, contentTypes),
  'open.content-type-other': byStatus(otherContentType, contentTypes),
  'open.value-bounds': {
    uses: UNUSUAL_NAMES,
    observe: ({ exchanges }) => {
      const responded = exchanges.filter(
        ({ request: { due }, response }) => response && due.role === 'unusual' && due.checks.some(isOfName),
      );
      if (responded.length === 0) return undefined;
      const refused = responded
        .filter((exchange) => !isAccepted(exchange))
        .map(({ request }) => request.purpose.replace(/^An update with (.*) as name$/, '$1'));
      return refused.length > 0 ? { observed: 'some-refused', detail: distinct(refused) } : 'all-accepted';
    },
  },
  'open.unknown-members': byStatus(unknownMember, { accepted: 'ignored', 400: 'refused' }),
  'open.non-integer-id': byStatus('path-id-word-1', {
    400: 'invalid',
    404: 'not-found',
    accepted: 'other',
  }),
  'open.integer-spelling': {
    uses: spellings.map(({ probe }) => probe),
    observe: (recording) => {
      const tried = spellings.map(({ called, probe }) => ({ called, responded: respondedTo(recording, probe.id) }));
      if (tried.every(({ responded }) => responded.length === 0)) return undefined;
      const reached = tried.filter(({ responded }) => responded.some(isAccepted)).map(({ called }) => called);
      return reached.length > 0 ? { observed: 'some-accepted', detail: reached } : 'none-accepted';
    },
  },
  'open.shown-members': onUsers((users) => {
    const hidden = userMembers.filter((member) => users.every((user) => !Object.hasOwn(user, member)));
    return hidden.length > 0 ? { observed: 'some', detail: hidden } : 'all';
  }),
  'open.root-role-request': {
    observe: ({ exchanges }) => {
      const sent = exchanges.flatMap((exchange) => {
        const { operation, meant } = exchange.request;
        const body = operation === 'updateUser' && meant.body === 'valid' ? sentBody(exchange.request) : undefined;
        return exchange.response && body?.rootRole !== undefined ? [{ exchange, role: body.rootRole }] : [];
      });
      if (sent.length === 0) return undefined;
      const shapes = new Set(sent.filter(({ exchange }) => isAccepted(exchange)).map(({ role }) => shapeOfRole(role)));
      if (shapes.size === 0) return 'none';
      if (shapes.has('other')) return 'other';
      return shapes.size === 2 ? 'both' : [...shapes][0];
    },
  },
  'open.root-role-response': {
    observe: ({ exchanges }) => {
      const ofUsers = exchanges.filter(({ request }) => request.subject === 'user' || request.subject === 'other-user');
      const shown = ofUsers.filter((each) => each.request.meant.id === 'valid' && shownUser(each));
      if (shown.length === 0) return undefined;
      const withRole = shown.filter((each) => Object.hasOwn(shownUser(each) ?? {}, 'rootRole'));
      if (withRole.length === 0) return 'absent';
      if (withRole.every((each) => sends(each, 'rootRole')) && withRole.length < shown.length) return 'only-when-sent';
      const shapes = new Set(withRole.map((each) => shapeOfRole(shownUser(each)?.rootRole)));
      return shapes.size === 1 ? [...shapes][0] : 'other';
    },
  },
  'open.account-type-values': onUsers((users) => {
    const values = distinct(users.map(({ accountType }) => accountType).filter((value) => typeof value === 'string'));
    return values.length > 0 ? { observed: 'values', detail: values } : 'absent';
  }),
};
