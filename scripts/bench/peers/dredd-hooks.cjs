// The set-up of Dredd: replaces the transactions that it makes of the contract by the cases in PEER_CASES. Each is a copy of the
// transaction with its operation and status.
const hooks = require('hooks');

const { cases, schemas } = JSON.parse(process.env.PEER_CASES);
const bodyOf = (body) => (body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body));

function transactionOf({ name, method, path, key, body, status, schema }, transactions) {
  const made = transactions.find(({ id }) => id.startsWith(`${method} (${status})`));
  const transaction = JSON.parse(JSON.stringify(made));
  transaction.name = name;
  transaction.fullPath = path;
  transaction.request.body = bodyOf(body);
  if (key !== undefined) transaction.request.headers.Authorization = key;
  // Without a schema Dredd compares the body with the example, of which it requires every member.
  transaction.expected.bodySchema = JSON.stringify({ $ref: `#/components/schemas/${schema}`, components: { schemas } });
  delete transaction.expected.body;
  return transaction;
}

hooks.beforeAll((transactions, done) => {
  const made = cases.map((each) => transactionOf(each, transactions));
  transactions.splice(0, transactions.length, ...made);
  done();
});

/** Dredd compares the whole value of the header, in which a server may name the encoding. */
hooks.beforeEachValidation(({ expected, real }, done) => {
  if (/^application\/json\s*;/i.test(real.headers['content-type']))
    expected.headers['Content-Type'] = real.headers['content-type'];
  done();
});

hooks.afterEach((transaction, done) => {
  const { shows } = cases.find(({ name }) => name === transaction.name);
  try {
    const body = JSON.parse(transaction.real.body);
    const wrong = Object.entries(shows).filter(([member, value]) => body[member] !== value);
    if (wrong.length > 0) transaction.fail = `These members are not as expected: ${wrong.map(([member]) => member)}.`;
  } catch {
    transaction.fail = 'The body is not JSON.';
  }
  done();
});
