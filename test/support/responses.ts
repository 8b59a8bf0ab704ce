import type { RawServerOptions } from '../../proof/wire/raw-server.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export type Respond = NonNullable<RawServerOptions['onRequest']>;

/** Writes these bytes, and keeps the connection. */
export function say(bytes: Buffer | string): Respond {
  return (_request, socket) => void socket.write(bytes);
}

/** Writes these bytes, and ends the connection. */
export function sayAndEnd(bytes: Buffer | string): Respond {
  return (_request, socket) => void socket.end(bytes);
}
