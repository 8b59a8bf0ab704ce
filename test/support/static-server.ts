import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface StaticServer {
  /** Of the folder, with a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves a folder under a path prefix, as a host of static pages does: with the index.html of a folder, and with 404.html for what
 * is not there.
 */
export async function serveFolder(folder: string, prefix: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, path.slice(prefix.length), path.endsWith('/') ? 'index.html' : '');
    const found = path.startsWith(prefix) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const shown = found ? file : join(folder, '404.html');
    const type = TYPES[extname(shown)] ?? 'application/octet-stream';
    response.writeHead(found ? 200 : 404, { 'Content-Type': type }).end(readFileSync(shown));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    close: () => {
      server.closeAllConnections();
      return server[Symbol.asyncDispose]();
    },
  };
}
