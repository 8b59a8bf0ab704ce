import { judgeTarget } from '../../conformance/run/run.ts';

/** Sends a complete run. Returns its requests, each `after` those that had ended when the suite asked for it. */
export async function record(inputs, options = {}) {
  const sent = [];
  const onEvent = (event) => {
    if (event.type !== 'exchange') return;
    const { request, queuedAt, startedAt, duration } = event.exchange;
    const ended = performance.now();
    sent.push({ request, ended, queued: ended - duration - (startedAt - queuedAt) });
  };
  // The events of the library show no keys; those of the runner have the requests as they were sent.
  await judgeTarget(inputs, { ...options, onEvent });
  return sent.map(({ request: { credential, headers, method, path, body }, queued }) => ({
    method,
    path: credential.query === undefined ? path : `${path}?${credential.query}`,
    headers: {
      ...headers,
      ...credential.otherHeaders,
      ...(credential.header === undefined ? {} : { Authorization: credential.header }),
    },
    body,
    after: sent.flatMap(({ ended }, index) => (ended <= queued ? [index] : [])),
  }));
}

/** How many requests have to wait for each other, one after another. */
export function criticalPath(requests) {
  const lengths = [];
  for (const { after } of requests) lengths.push(1 + Math.max(0, ...after.map((index) => lengths[index])));
  return Math.max(...lengths);
}
