import type { Request } from '../facts/exchange.ts';

/** The requirement that speaks of each way in which an update can go wrong. */
export interface Claims {
  readonly accepted: string;
  readonly stored: string;
  readonly shown: string;
  /** An updatable member changed that was not sent. */
  readonly kept: string;
  /** A member changed that no update can change. */
  readonly others: string;
}

/** Of a plain update, each aspect has a requirement of its own. */
export const PLAIN: Claims = {
  accepted: 'update.success-is-200',
  stored: 'update.sent-fields-change',
  shown: 'update.answer-shows-user',
  kept: 'update.unsent-fields-keep',
  others: 'update.other-members-keep',
};

/** Nearly every way to go wrong breaks the same requirement. */
export const claiming = (requirement: string): Claims => ({
  accepted: requirement,
  stored: requirement,
  shown: requirement,
  kept: requirement,
  others: PLAIN.others,
});

/** How a request is sent, if not in the plain way. */
export interface Sending extends Pick<Request, 'openBodies' | 'ownConnection' | 'shell'> {
  /** Headers in place of the usual ones; one that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: string;
  /** The bytes of the body, if they are not its plain JSON. */
  readonly text?: string | Buffer | undefined;
}
