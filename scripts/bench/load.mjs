import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 16;
const STATUS = Buffer.from('HTTP/1.1 ');

/** The bytes of a request. */
export function requestBytes(url, { method, path, headers, body }) {
  const fields = { Host: new URL(url).host, ...headers, 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Sends one request again and again over some connections, one at a time over each, for `ms` and until each has its first
 * response. It looks at nothing but the start of each response, so that the server, and not the sender, is what is measured.
 *
 * @returns responses with status 200 in a second
 */
export async function requestsPerSecond(url, bytes, ms) {
  const { hostname, port } = new URL(url);
  let accepted = 0;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host: hostname, port, noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  // On a busy machine the first responses can take longer than the time to measure.
  const responded = sockets.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'end')]));
  const started = performance.now();
  for (const socket of sockets) {
    socket.on('data', (chunk) => {
      if (chunk.indexOf(STATUS) !== 0) return;
      if (chunk[STATUS.length] !== 0x32) throw new Error(`${url} refuses the request.`);
      accepted += 1;
      socket.write(bytes);
    });
    socket.write(bytes);
  }
  await Promise.all([sleep(ms), ...responded]);
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  return accepted / seconds;
}
