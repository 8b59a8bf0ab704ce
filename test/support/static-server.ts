// A host of static pages for tests that open the built site in a browser.
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface StaticServer extends AsyncDisposable {
  /** Of the folder, with a slash at its end. */
  readonly url: string;
}

/** Serves a folder below a path (`/some/prefix/`) on a free port of 127.0.0.1, the index.html of each folder included. */
export async function serveFolder(folder: string, prefix: string): Promise<StaticServer> {
  const fileOf = (path: string): string | undefined => {
    const file = normalize(join(folder, path.slice(prefix.length), path.endsWith('/') ? 'index.html' : ''));
    const isInside = path.startsWith(prefix) && file.startsWith(folder + sep);
    return isInside && existsSync(file) && statSync(file).isFile() ? file : undefined;
  };
  const server = createServer((request, response) => {
    const file = fileOf(decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname));
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return server[Symbol.asyncDispose]();
    },
  };
}
