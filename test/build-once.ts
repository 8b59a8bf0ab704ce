import { execFileSync } from 'node:child_process';

/** The end-to-end tests run what the package has; it is built once before all tests, unless it is up to date. */
export default function buildOnce(): void {
  const options = { cwd: new URL('..', import.meta.url), stdio: 'inherit' } as const;
  execFileSync(process.execPath, ['scripts/package/build.mjs', '--if-needed', '--types'], options);
}
