import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/** A hook of Node.js: gives a TypeScript module without its types. */
export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), { sourcemap: false });
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0].message}`);
  return { format: 'module', source: code, shortCircuit: true };
}
