import type { HttpClient } from '../http/client.ts';

/** Sends a request and records what came of it; an accepted one becomes part of its user's history. */
export type Send = HttpClient['send'];
