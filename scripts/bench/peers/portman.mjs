const enabled = { enabled: true };
const shape = { contentType: enabled, jsonBody: enabled, schemaValidation: enabled };
const isObject = (body) => typeof body === 'object' && !Array.isArray(body);

const security = (key) =>
  key === undefined ? { remove: true } : { apiKey: { key: 'Authorization', value: key, in: 'header' } };
const idInPath = (value) => [{ key: 'id', value, overwrite: true }];

/** What makes the body of a case out of the example in the contract, which has a `name` alone. */
function bodyOverwrites(body) {
  if (!isObject(body)) return [];
  const sent = Object.entries(body).map(([key, value]) => ({ key, value, overwrite: true, insert: true }));
  return 'name' in body ? sent : [{ key: 'name', remove: true }, ...sent];
}

/** Overwrites only know objects. */
function bodyScripts(body) {
  if (body === undefined || isObject(body)) return [];
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  return [{ scripts: [`pm.request.body.update(${JSON.stringify({ mode: 'raw', raw })})`] }];
}

function variationTest({ name, operation, id, key, body, status, shows }) {
  const variation = {
    name,
    overwrites: [
      {
        overwriteRequestSecurity: security(key),
        overwriteRequestBody: bodyOverwrites(body),
        ...(id === undefined ? {} : { overwriteRequestPathVariables: idInPath(id) }),
      },
    ],
    operationPreRequestScripts: bodyScripts(body),
    tests: {
      contractTests: [{ ...shape, statusCode: { ...enabled, code: status } }],
      contentTests: [{ responseBodyTests: Object.entries(shows).map(([member, value]) => ({ key: member, value })) }],
    },
  };
  return { openApiOperationId: operation, openApiResponse: String(status), variations: [variation] };
}

/** The configuration of Portman: its contract tests of every operation, and the cases as variations, one after the other. */
export function portmanConfiguration(cases, { adminKey, userId }) {
  return {
    version: 1,
    overwrites: [
      { openApiOperation: '*::/*', overwriteRequestSecurity: security(adminKey) },
      { openApiOperation: 'PUT::/*', overwriteRequestPathVariables: idInPath(userId) },
    ],
    tests: {
      contractTests: [{ openApiOperation: '*::/*', ...shape, statusSuccess: enabled }],
      variationTests: cases.map(variationTest),
    },
  };
}
