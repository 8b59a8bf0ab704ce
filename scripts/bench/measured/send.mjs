import { Pool } from 'undici';

/**
 * Sends recorded requests, each after those that it has to wait for, and reads the responses.
 *
 * @param look is called with each response, its body, and the place of its request in the list
 */
export async function sendAll(url, requests, look = () => {}) {
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const sent = [];
  const send = async ({ method, path, headers, body, after }, index) => {
    await Promise.all(after.map((other) => sent[other].promise));
    const response = await pool.request({ method, path, headers, body: body ?? null });
    look(response, await response.body.text(), index);
  };
  for (const index of requests.keys()) {
    let resolve;
    const promise = new Promise((done) => (resolve = done));
    sent[index] = { promise, resolve };
  }
  await Promise.all(requests.map((request, index) => send(request, index).then(sent[index].resolve)));
  await pool.close();
}
