import { type Exchange, isAccepted } from '../http/exchange.ts';
import type { Recording } from './recording/recording.ts';
import type { Probe, Traffic } from './recording/items.ts';

/** One of the possible observations of an open point, if need be with details; undefined if nothing was seen. */
export type Observed = string | { readonly observed: string; readonly detail: unknown } | undefined;

/** Looks at one open point of the contract. It never judges. */
export interface Observer {
  /** The traffic that it looks at in addition to that of the checks. */
  readonly uses?: readonly Traffic[];
  readonly observe: (recording: Recording) => Observed;
}

/** By the id of the open point. */
export type Observers = Readonly<Record<string, Observer>>;

/** The exchanges of an item of the traffic that got a response. */
export function respondedTo({ exchanges }: Recording, item: string): readonly Exchange[] {
  return exchanges.filter(({ request, response }) => response && request.item === item);
}

/**
 * Maps the status of the response to a probe to an observation.
 *
 * @param probe or the id of one that a check sends
 * @param observations by status; `accepted` stands for any 2xx
 */
export function byStatus(probe: Probe | string, observations: Readonly<Record<number | 'accepted', string>>): Observer {
  const [id, uses] = typeof probe === 'string' ? [probe, []] : [probe.id, [probe]];
  return {
    uses,
    observe: (recording) => {
      const [exchange] = respondedTo(recording, id);
      if (!exchange) return undefined;
      const status = exchange.response?.status ?? 0;
      const observed = isAccepted(exchange) ? observations.accepted : observations[status];
      return observed ?? { observed: 'other', detail: status };
    },
  };
}

/** Values for the detail of an observation: each once, sorted, at most 20. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values)].sort().slice(0, 20);
}
