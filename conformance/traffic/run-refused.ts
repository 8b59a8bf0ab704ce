/** A run must not begin: the message says why, and what to do. Nothing was changed. */
export class RunRefused extends Error {}
