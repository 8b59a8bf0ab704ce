import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';

const at = (path) => new URL(`../${path}`, import.meta.url);
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(at('dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: at('.'), stdio: 'inherit' });
copyFileSync(at('contract/openapi.json'), at('dist/contract/openapi.json'));
copyFileSync(at('conformance/result.schema.json'), at('dist/conformance/result.schema.json'));
chmodSync(at('dist/conformance/cli.js'), 0o755);
