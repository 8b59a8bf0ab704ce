/** What the operator says of the target. Ids are texts: they may be larger than a JavaScript number holds. */
export interface Inputs {
  /** What `{baseUrl}` of the contract stands for; it may have a path. */
  readonly baseUrl: URL;
  /** A key that may do everything. It is sent in `Authorization` exactly as given (source: Authentication, 1). */
  readonly adminKey?: string;
  /** A valid key that may not update users (source: Authentication, 3). */
  readonly restrictedKey?: string;
  /** A disposable user that the suite changes. */
  readonly userId?: string;
  /** A second disposable user. */
  readonly otherUserId?: string;
  /** An id that no user has. */
  readonly missingUserId?: string;
  /** JSON values that the target accepts as `rootRole`; at least two. */
  readonly roleIds?: readonly unknown[];
  /** The ids of all banners that are configured on the target. */
  readonly bannerIds?: readonly unknown[];
  /** The domain of the e-mail addresses that the suite sends. */
  readonly emailDomain: string;
}

/** An input without which some checks are inconclusive. */
export type InputName = Exclude<keyof Inputs, 'baseUrl' | 'emailDomain'>;

/** The domain of the addresses that the suite sends, unless the operator names another (RFC 2606). */
export const DEFAULT_EMAIL_DOMAIN = 'example.com';
