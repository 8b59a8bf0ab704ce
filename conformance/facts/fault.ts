/** What is wrong with a target, as data: reports make words of it (`conformance/result/titles.ts`), and nothing reads them back. */
import { type Exchange, isDisturbance, type Request, type Response } from './exchange.ts';

/** How a request can go wrong, whatever it was sent for. `status`: of a request that must be refused. */
type Aspect = 'status' | 'accepted' | 'stored' | 'shown' | 'kept' | 'other';

/** A request as faults tell of it. */
export interface ToldRequest {
  readonly request: Request;
  /** What is special about it, if its body does not tell: "with an unknown key". */
  readonly how?: string | undefined;
  /** Whether it was sent while other requests were under way, right after one that was refused or an update, or between two updates. */
  readonly when?: 'concurrently' | 'after-refusal' | 'after-update' | 'between-updates' | undefined;
  /** Whether its value matters, and not only which members it sends. */
  readonly isUnusual?: boolean | undefined;
}

/** A request got another status than it should. */
export interface StatusFault extends ToldRequest {
  readonly kind: 'status';
  /** The statuses that are right. */
  readonly due: readonly number[];
  /** The status that came; 0 if there was no response. */
  readonly came: number;
  /** What came in place of a status. */
  readonly lost?: Response['lost'];
}

/** What became of a member of a user. */
export type MemberChange =
  /** An accepted update sent it, and later responses show another value. */
  | 'not-stored'
  /** An accepted update sent it, and the response shows another value. */
  | 'not-shown'
  /** The response to an update shows a change that later responses do not show. */
  | 'only-shown'
  /** An update that did not send it changed it. */
  | 'changed'
  /** A request that was refused changed it. */
  | 'changed-by-refused'
  /** An update of another user changed it. */
  | 'changed-with-other-user'
  /** A request that reads changed it. */
  | 'changed-by-reading'
  /** An update of another member gave it the value back that it had before the update of it. */
  | 'reverted'
  /** A concurrent update of another member undid the update of it. */
  | 'undone'
  /** A concurrent request that was refused undid the update of it. */
  | 'rolled-back'
  /** A concurrent update of another user reached it. */
  | 'mixed-up'
  /** It changed with no request under way. */
  | 'changed-later'
  /** A reading showed an older value than an update had stored, and a later one shows that. */
  | 'shown-late'
  /** An update with the value that it had before the run is not stored. */
  | 'not-restored';

/** A member of a user has another value than it should. */
export interface MemberFault extends ToldRequest {
  readonly kind: 'member';
  readonly change: MemberChange;
  readonly member: string;
  /** The id of the user. */
  readonly user: string;
  readonly due: unknown;
  /** The value that it has; undefined if it is not shown. */
  readonly came: unknown;
}

/** What every response is held to. */
export type ResponseRule =
  | 'key-shown'
  | 'key-of-body-shown'
  | 'internals-shown'
  | 'not-json'
  | 'cut'
  | 'not-utf-8'
  | 'media-type'
  | 'error-members'
  | 'error-name'
  | 'error-message'
  | 'error-id'
  | 'no-user'
  | 'secret-shown'
  | 'no-id'
  | 'other-id'
  | 'member-type'
  | 'creation-time-varies'
  | 'username-shared'
  | 'no-list'
  | 'no-banner'
  | 'banner-id-shared';

/** A response breaks a rule to which every response is held. */
export interface ResponseFault {
  readonly kind: 'response';
  readonly rule: ResponseRule;
  readonly status: number;
  readonly due?: unknown;
  readonly came?: unknown;
  /** The members, users or kinds of content that it is about. */
  readonly names?: readonly string[];
}

/** Something that only one check looks for; it says so itself. */
export interface SpecialFault {
  readonly kind: 'special';
  /** What the target does, in its implementer's words. */
  readonly says: string;
  readonly due: string;
  readonly came: string;
}

export type Fault = StatusFault | MemberFault | ResponseFault | SpecialFault;

/** How often an intermittent fault showed. */
interface Seen {
  readonly times: number;
  readonly of: number;
  readonly what: 'requests' | 'rounds';
}

/** A fault, where it was found, and what shows it. */
export interface Problem {
  readonly fault: Fault;
  /** The id of the check that found it; undefined if no check did. */
  readonly check?: string;
  readonly requirement: string;
  readonly aspect: Aspect;
  /** What shows it: first the request that is to blame, then those that show what it did. */
  readonly exchanges: readonly Exchange[];
  /** What must be sent before it, for the fault to show. */
  readonly before?: readonly Exchange[] | undefined;
  /** Whether something else was under way. */
  readonly isTogether?: boolean;
  /** The member whose absence is the fault. */
  readonly absent?: string | undefined;
  /** The member that the check is about. */
  readonly about?: string | undefined;
  /** In how many of how many rounds or requests it showed, if it is intermittent. */
  readonly seen?: Seen;
  /** What to change in the server, if the check tells it better than the requirement. */
  readonly fix?: string | undefined;
}

/** A broken requirement, with the plainest evidence first. */
export interface Broken {
  readonly requirement: string;
  readonly problems: readonly Problem[];
}

/** The fault of a request that got none of the statuses that are right, with what is special about it. */
export function statusFault(
  { request, response }: Exchange,
  due: readonly number[],
  told: Omit<ToldRequest, 'request'> = {},
): StatusFault {
  return { kind: 'status', request, ...told, due, came: response.status, lost: response.lost };
}

/** Whether a request that shows a problem was disturbed. */
export const isDisturbed = ({ exchanges }: Problem): boolean =>
  exchanges.some(({ response }) => isDisturbance(response));

/** Whether only some of a run's requests show a problem, or a finding. */
export function isNowAndThen({
  seen,
}: {
  readonly seen?: { times: number; of: number; what: string } | undefined;
}): boolean {
  return seen?.what === 'requests' && seen.times < seen.of;
}
