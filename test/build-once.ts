import { execFileSync } from 'node:child_process';

/** The end-to-end tests run the built binary; it is built once before all tests. */
export default function buildOnce(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: new URL('..', import.meta.url), stdio: 'inherit' });
}
