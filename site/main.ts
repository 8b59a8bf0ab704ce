import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runEntry } from '../common/process/entry.ts';
import { buildSite } from './build.ts';

const HELP = `Usage: npm run build:site -- [--out FOLDER] [--proof FILE]

Writes the site as static files. They need no server and no network, and work in
any folder: every address in them is relative.

  --out FOLDER      the folder to replace (build/site)
  --proof FILE      the kill matrix that "npm run prove" wrote
                    (build/proof/kill-matrix.json). Without one, the site shows
                    what the proof expects and says that it was not run
  --implementations FOLDER
                    results of implementations (site/implementations)
`;

const root = fileURLToPath(new URL('..', import.meta.url));

const OPTIONS = { out: { type: 'string' }, proof: { type: 'string' }, implementations: { type: 'string' } } as const;

await runEntry({ name: 'build:site', help: HELP, options: OPTIONS }, async ({ values }) => {
  const path = (name: keyof typeof OPTIONS, usual: string): string =>
    typeof values[name] === 'string' ? resolve(values[name]) : join(root, usual);
  const out = path('out', 'build/site');
  const proof = path('proof', 'build/proof/kill-matrix.json');
  const sources = {
    root,
    proof: values.proof === undefined && !existsSync(proof) ? undefined : proof,
    implementations: path('implementations', 'site/implementations'),
  };
  await buildSite(sources, out);
  process.stdout.write(`${join(out, 'index.html')}\n`);
  return 0;
});
