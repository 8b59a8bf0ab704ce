import { type Level, requirements as all } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import { keptStart } from '../http/redact.ts';
import type { InconclusiveReason } from './reasons.ts';

/** What can be wrong. An outcome is a value (`actual`), not a kind for each. */
export type Kind =
  /** A request was not treated as it is due: `actual` is `accepted`, a status, or `no response`. */
  | 'outcome'
  /** A request that should be accepted, or stored, was not, but was when it was sent again. */
  | 'sporadic'
  /** An error response shows that its request was carried out all the same. */
  | 'carried-out'
  /** The operation does not exist. */
  | 'no-operation'
  /** One aspect of a response, which its check names. */
  | 'response'
  /** A body of another shape, so that nothing in it can be read. */
  | 'shape'
  /** A member of a shown object does not conform. */
  | 'member'
  /** A response shows another resource than it was asked for. */
  | 'other-resource'
  /** A member has another value than before, although nobody was to change it. */
  | 'changed'
  /** What was sent is not stored. */
  | 'not-stored'
  /** What was sent is stored, but the response does not show it. */
  | 'stale-response'
  /** The response does not show what was sent, and no later one tells whether it was stored. */
  | 'sent-not-shown'
  /** An unusual value was accepted, and another one stored. */
  | 'altered'
  /** After a request, valid requests to the same resource fail. */
  | 'damaged'
  /** A collection differs each time that it is read. */
  | 'unstable'
  /** A collection differs each time that a request of another operation is sent. */
  | 'side-effect'
  /** A collection lacks an element. */
  | 'absent'
  /** Two elements that must differ are the same. */
  | 'repeated'
  /** A random sequence of updates went wrong. */
  | 'explored';

/** One deviation of the target from the contract. */
export interface Deviation {
  readonly kind: Kind;
  /** The exchange that shows it; the last, if several do. */
  readonly x: Exchange;
  /** The requirements that it contradicts, the one that names it best first. None: nobody can be blamed for it. */
  readonly requirements: readonly string[];
  readonly level: Level;
  /** The checks that it fails. */
  readonly checks: readonly string[];
  /** What is wrong, as the check's failure mode. */
  readonly mode: string;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly pointer?: string;
  /** The exchanges that show it, in order; `[x]` by default. */
  readonly shows?: readonly Exchange[];
  /** The member that it is about, and the resource whose member it is. */
  readonly member?: string;
  readonly subject?: string;
  /** Of a change or a lost value: the value before the one that is expected. */
  readonly old?: unknown;
  /** Of a change: what may have made it. */
  readonly change?: Change;
  /** Of an outcome: whether another request was under way. */
  readonly isBeside?: boolean;
  /** Further exchanges that show the same. */
  readonly also?: readonly Exchange[];
  /** Of deviations that follow from one request: that request. */
  readonly by?: Exchange;
}

/** How a request may have changed a member. */
export interface Suspect {
  readonly exchange: Exchange;
  readonly class: string;
}

/** Who is blamed for what only another client can have changed. */
export const NOBODY = 'nobody';

/** A change and all requests that may have made it. */
export interface Change {
  /** Everything that was under way since the member was known. */
  readonly between: readonly Suspect[];
  /** Those of it that are not seen to leave the member alone. */
  readonly suspects: readonly Suspect[];
  /** The classes of the suspects that count. */
  readonly classes: readonly string[];
  /** The class that is blamed. */
  readonly blamed: string;
  /** The checks of all suspects that are updates, accepted or refused: which of them did it may depend on what else is sent. */
  readonly possible?: readonly string[];
  /** Texts that the run did not send: the new value, if it is one, and the one before. */
  readonly foreign?: readonly unknown[];
}

/** Why a check cannot be decided by a request. */
export interface Doubt {
  readonly reason: InconclusiveReason;
  readonly detail: string;
  readonly exchanges: readonly Exchange[];
  /** Whether it counts only where nothing else decides the check. */
  readonly isWeak?: boolean;
}

/** What one pass over a recording found: deviations, witnesses by check, and doubts by check. */
export interface Facts {
  readonly deviations: readonly Deviation[];
  /** The exchanges by which a check is seen to hold; the key is its id, with a part behind `/` where several must hold. */
  readonly witnesses: ReadonlyMap<string, readonly Exchange[]>;
  readonly doubts: ReadonlyMap<string, Doubt>;
  /** What a check judges is not there, which is allowed: in words, by check. */
  readonly absences: ReadonlyMap<string, string>;
  /** What is said of a check that passes, beside its witnesses. */
  readonly details?: ReadonlyMap<string, string>;
}

const MOST_WITNESSES = 5;

/** Collects what a pass finds. */
export type Notes = ReturnType<typeof makeNotes>;

export function levelOf(requirement: string | undefined): Level {
  return all.find(({ id }) => id === requirement)?.level ?? 'must';
}

export type Found = Omit<Deviation, 'level'> & { readonly level?: Level };

/** What deviations have in common that are seen in one response each: one stands for all. */
function keyOf({ kind, checks, mode, member, subject, actual, x }: Found): string | undefined {
  if (!['response', 'shape', 'member', 'other-resource'].includes(kind)) return undefined;
  const { due, operation } = x.request;
  const ofRequest = [due.checks, due.role, operation, x.response?.status];
  return JSON.stringify([kind, checks, mode, member, subject, typeof actual, ...ofRequest]);
}

export function makeNotes() {
  const deviations: Deviation[] = [];
  const witnesses = new Map<string, Exchange[]>();
  const doubts = new Map<string, Doubt>();
  const absences = new Map<string, string>();
  const details = new Map<string, string>();
  /** Further exchanges of what is seen in one response, by what has it in common. */
  const seen = new Map<string, Exchange[]>();
  return {
    absences,
    details,
    /** What a check judges is not there, which is allowed. */
    absent: (check: string, detail: string): void => {
      absences.set(check, detail);
    },
    deviations,
    witnesses,
    doubts,
    deviates: (found: Found): void => {
      const also: Exchange[] = [];
      const key = keyOf(found);
      const known = key === undefined ? undefined : seen.get(key);
      if (known) {
        known.push(found.x);
        return;
      }
      if (key !== undefined) seen.set(key, also);
      const message = keptStart(found.message);
      deviations.push({ ...found, message, also, level: found.level ?? levelOf(found.requirements[0]) });
    },
    holds: (checks: readonly string[], exchange: Exchange): void => {
      for (const check of checks) {
        const known = witnesses.get(check);
        if (!known) witnesses.set(check, [exchange]);
        else if (known.length < MOST_WITNESSES) known.push(exchange);
      }
    },
    doubtful: (checks: readonly string[], doubt: Doubt): void => {
      for (const check of checks) {
        const known = doubts.get(check);
        if (!known || (known.isWeak && !doubt.isWeak)) doubts.set(check, doubt);
      }
    },
  };
}
