import type { Inputs } from '../conformance/inputs.ts';
import type { Behaviour } from './servers/behaviour.ts';

interface Server {
  readonly id: string;
  /** One sentence on how this server differs from the reference server. */
  readonly title: string;
  readonly behaviour: Behaviour;
  /** Inputs of the operator that differ from the defaults. */
  readonly inputs?: Partial<Inputs>;
}

/** The reference server with one fault. */
export interface Defect extends Server {
  /** The requirements that the fault breaks. */
  readonly breaks: readonly string[];
}

/** A conforming server that differs from the reference server where the contract or HTTP leaves a choice. */
export interface Variant extends Server {
  /** The requirements and open points that leave it this choice. */
  readonly about: readonly string[];
  /** Whether the users differ after a run: what a server does not show, or no longer accepts, cannot be restored. */
  readonly notRestored?: true;
  /** Whether chance or time decides what a request meets: one run shows little (`npm run prove -- --rounds N`). */
  readonly byChance?: true;
}

/** How each server behaves, and the operator's inputs where they differ. */
type Rows = Readonly<Record<string, Behaviour | readonly [Behaviour, Partial<Inputs>]>>;

/** Servers by `id: title`. */
export function serversOf(rows: Rows): Server[] {
  return Object.entries(rows).map(([key, row]) => {
    const [id = '', ...title] = key.split(': ');
    const [behaviour, inputs] = [row].flat() as [Behaviour, Partial<Inputs>?];
    return { id, title: `${title.join(': ')}.`, behaviour, ...(inputs && { inputs }) };
  });
}

/** Defects that break the same requirement, or the same ones. */
export function breaking(requirements: string | readonly string[], rows: Rows): Defect[] {
  return serversOf(rows).map((server) => ({ ...server, breaks: [requirements].flat() }));
}

/** Conforming variants that use the same freedoms. */
export function about(freedoms: string | readonly string[], rows: Rows): Variant[] {
  return serversOf(rows).map((server) => ({ ...server, about: [freedoms].flat() }));
}

/** Conforming variants whose users cannot be restored. */
export function unrestored(freedoms: string | readonly string[], rows: Rows): Variant[] {
  return about(freedoms, rows).map((server) => ({ ...server, notRestored: true }));
}

/** Conforming variants in which chance or time decides what a request meets. */
export function byChance(variants: readonly Variant[]): Variant[] {
  return variants.map((server) => ({ ...server, byChance: true }));
}
