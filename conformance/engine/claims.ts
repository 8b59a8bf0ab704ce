/** The requirement that speaks of each way in which an update can go wrong. */
export interface Claims {
  readonly accepted: string;
  /** It was refused with 400, and did not send all members. */
  readonly incomplete?: string;
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
