// Lint rules for the conventions of this contract, which the rules of Redocly do not know.

const ERROR_SCHEMA = '#/components/schemas/errorSchema';
const REQUIREMENT_ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const OPEN_POINT_ID = /^open\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LEVELS = ['must', 'should'];
const KINDS = ['not-shown', 'contradiction', 'silent'];

/** Every operation has a security scheme, its own or an inherited one; `{}` and `[]` are not allowed. */
function operationSecured() {
  let inherited;
  return {
    Root: { enter: (root) => void (inherited = root.security) },
    Operation: {
      enter(operation, { report, location }) {
        const security = operation.security ?? inherited;
        const open = !security?.length || security.some((each) => Object.keys(each).length === 0);
        if (open) report({ message: 'The operation can be called without a key.', location });
      },
    },
  };
}

function jsonContent(response) {
  return response.content?.['application/json'];
}

/** Every 4xx response has the one error schema as its JSON body. */
function errorShape() {
  return {
    Responses: {
      enter(responses, { report, resolve, location }) {
        for (const [status, value] of Object.entries(responses)) {
          if (!/^4/.test(status)) continue;
          const response = value.$ref ? resolve(value).node : value;
          if (jsonContent(response)?.schema?.$ref !== ERROR_SCHEMA) {
            report({ message: `The body of ${status} must be ${ERROR_SCHEMA}.`, location: location.child(status) });
          }
        }
      },
    },
  };
}

/** Every 4xx response names its error, each status has one name, and each example carries it. */
function errorName() {
  const nameOfStatus = new Map();
  return {
    Responses: {
      enter(responses, { report, resolve, location }) {
        for (const [status, value] of Object.entries(responses)) {
          if (!/^4/.test(status)) continue;
          const response = value.$ref ? resolve(value).node : value;
          const at = location.child(status);
          const name = response['x-error-name'];
          if (typeof name !== 'string') {
            report({ message: `The response ${status} needs x-error-name.`, location: at });
            continue;
          }
          const known = nameOfStatus.get(status) ?? name;
          nameOfStatus.set(status, known);
          if (known !== name) {
            report({ message: `${status} is ${known} elsewhere and ${name} here.`, location: at });
          }
          const examples = Object.entries(jsonContent(response)?.examples ?? {});
          if (examples.length === 0) report({ message: `The response ${status} needs an example.`, location: at });
          for (const [key, example] of examples) {
            if (example.value?.name !== name) {
              report({ message: `The example "${key}" of ${status} must have the name ${name}.`, location: at });
            }
          }
        }
      },
    },
  };
}

function missingText(entry, members) {
  return members.filter((member) => typeof entry[member] !== 'string' || entry[member].trim() === '');
}

/** x-requirements and x-open-points are complete, and their ids are well formed and used once in the document. */
function requirements() {
  const seen = new Set();
  const checkId = (entry, form, what, at, report) => {
    if (!form.test(entry.id ?? '')) {
      report({ message: `The id "${entry.id}" of ${what} is not of the form ${form.source}.`, location: at });
    }
    if (seen.has(entry.id)) report({ message: `The id "${entry.id}" is used twice.`, location: at });
    seen.add(entry.id);
  };
  return {
    any: {
      enter(node, { report, location }) {
        if (node === null || typeof node !== 'object') return;
        (node['x-requirements'] ?? []).forEach((requirement, index) => {
          const at = location.child(['x-requirements', index]);
          checkId(requirement, REQUIREMENT_ID, 'a requirement', at, report);
          if (OPEN_POINT_ID.test(requirement.id)) {
            report({ message: 'The prefix "open." belongs to open points.', location: at });
          }
          if (!LEVELS.includes(requirement.level)) {
            report({ message: `The level of ${requirement.id} must be one of: ${LEVELS.join(', ')}.`, location: at });
          }
          for (const member of missingText(requirement, ['text', 'source'])) {
            report({ message: `${requirement.id} needs "${member}".`, location: at });
          }
        });
        (node['x-open-points'] ?? []).forEach((point, index) => {
          const at = location.child(['x-open-points', index]);
          checkId(point, OPEN_POINT_ID, 'an open point', at, report);
          if (!KINDS.includes(point.kind)) {
            report({ message: `The kind of ${point.id} must be one of: ${KINDS.join(', ')}.`, location: at });
          }
          for (const member of missingText(point, ['text', 'source', 'ruling'])) {
            report({ message: `${point.id} needs "${member}".`, location: at });
          }
          if (!Array.isArray(point.observations)) {
            report({ message: `${point.id} needs "observations", if only an empty list.`, location: at });
          }
        });
      },
    },
  };
}

export default function contractPlugin() {
  return {
    id: 'contract',
    rules: {
      oas3: {
        'operation-secured': operationSecured,
        'error-shape': errorShape,
        'error-name': errorName,
        requirements,
      },
    },
  };
}
