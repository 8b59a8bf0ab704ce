export const CHECKSUMS: string;

export function changelogChapter(
  changelog: string,
  version: string,
): { readonly contract: string; readonly body: string; readonly first: boolean } | undefined;

export function releaseProblems(given: {
  readonly tag?: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly lock: Readonly<Record<string, unknown>>;
  readonly changelog: string;
  readonly contractVersion: string;
  readonly repository?: string;
}): string[];

export function distributionTag(version: string): 'latest' | 'next';

export function checksumsOf(files: Readonly<Record<string, string | Uint8Array>>): string;

export function checksumProblem(files: Readonly<Record<string, string | Uint8Array>>): string | undefined;

export function isLater(one: string, other: string): boolean;
