// Sends recorded requests through Prism to a server, and prints what Prism says of the responses. Its exit code is 1 if that is
// anything. What it says of requests does not count: many of them are meant to be invalid.
//   node scripts/bench/peers/prism-run.mjs FILE URL
import { readFileSync } from 'node:fs';
import { startPrism } from '../../../proof/servers/prism.ts';
import { sendAll } from '../measured/send.mjs';

/** What Prism's own errors begin with, such as that it cannot read a response. */
const OWN_ERROR = 'https://stoplight.io/prism/errors#';

function violationsOf(headers) {
  const violations = JSON.parse(headers['sl-violations'] ?? '[]');
  return violations.filter(({ location, severity }) => location[0] === 'response' && severity === 'Error');
}

const [file, upstream] = process.argv.slice(2);
const { url, close } = await startPrism('proxy', upstream);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close().then(() => process.exit(1)));
try {
  await sendAll(url, JSON.parse(readFileSync(file, 'utf8')), ({ statusCode, headers }, text, index) => {
    const said = violationsOf(headers).map(({ message }) => message);
    if (text.includes(OWN_ERROR)) said.push(text);
    for (const each of said) console.log(`request ${index}, status ${statusCode}: ${each}`);
    if (said.length > 0) process.exitCode = 1;
  });
} finally {
  await close();
}
