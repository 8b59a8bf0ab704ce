// Lint rules for the conventions of this contract, which the rules of Redocly do not know.

const ERROR_SCHEMA = '#/components/schemas/errorSchema';
const REQUIREMENT_ID = /^(?!open\.)[a-z][a-z0-9]*(-[a-z0-9]+)*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const OPEN_POINT_ID = /^open\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Every operation has a security scheme, its own or an inherited one; `{}` and `[]` are not allowed. */
function operationSecured() {
  let inherited;
  return {
    Root: { enter: (root) => void (inherited = root.security) },
    Operation: {
      enter({ security = inherited }, { report, location }) {
        const isOpen = !security?.length || security.some((each) => Object.keys(each).length === 0);
        if (isOpen) report({ message: 'The operation can be called without a key.', location });
      },
    },
  };
}

/** Visits every 4xx response, with its status and its JSON body. */
function visitErrors(visit) {
  return {
    Responses: {
      enter(responses, { report, resolve, location }) {
        for (const [status, value] of Object.entries(responses)) {
          if (!/^4/.test(status)) continue;
          const response = value.$ref ? resolve(value).node : value;
          const json = response.content?.['application/json'] ?? {};
          visit(status, response, json, (message) => report({ message, location: location.child(status) }));
        }
      },
    },
  };
}

/** Every 4xx response has the one error schema as its JSON body. */
function errorShape() {
  return visitErrors((status, _response, { schema }, report) => {
    if (schema?.$ref !== ERROR_SCHEMA) report(`The body of ${status} must be ${ERROR_SCHEMA}.`);
  });
}

/** Every 4xx response names its error, each status has one name, and each example carries it. */
function errorName() {
  const nameOfStatus = new Map();
  return visitErrors((status, { 'x-error-name': name }, { examples = {} }, report) => {
    if (typeof name !== 'string') return report(`The response ${status} needs x-error-name.`);
    if (!nameOfStatus.has(status)) nameOfStatus.set(status, name);
    const known = nameOfStatus.get(status);
    if (known !== name) report(`${status} is ${known} elsewhere and ${name} here.`);
    if (Object.keys(examples).length === 0) report(`The response ${status} needs an example.`);
    for (const [key, example] of Object.entries(examples))
      if (example.value?.name !== name) report(`The example "${key}" of ${status} must have the name ${name}.`);
  });
}

/** What each list of ours has: the form of an id, the members that are texts, and those with few values. */
const LISTS = {
  'x-requirements': { form: REQUIREMENT_ID, texts: ['text', 'source'], words: { level: ['must', 'should'] } },
  'x-open-points': {
    form: OPEN_POINT_ID,
    texts: ['text', 'source', 'ruling'],
    words: { kind: ['not-shown', 'contradiction', 'silent'] },
  },
};

function problemsOf(entry, { form, texts, words }) {
  const { id } = entry;
  const isBlank = (member) => typeof entry[member] !== 'string' || entry[member].trim() === '';
  const isOther = ([member, known]) => !known.includes(entry[member]);
  return [
    ...(form.test(id ?? '') ? [] : [`The id "${id}" is not of the form ${form.source}.`]),
    ...texts.filter(isBlank).map((member) => `${id} needs "${member}".`),
    ...Object.entries(words)
      .filter(isOther)
      .map(([member, known]) => `The ${member} of ${id} must be one of: ${known.join(', ')}.`),
  ];
}

/** x-requirements and x-open-points are complete, and their ids are well formed and used once in the document. */
function requirements() {
  const seen = new Set();
  return {
    any: {
      enter(node, { report, location }) {
        for (const [list, about] of Object.entries(LISTS)) {
          for (const [index, entry] of (node?.[list] ?? []).entries()) {
            const problems = problemsOf(entry, about);
            if (seen.has(entry.id)) problems.push(`The id "${entry.id}" is used twice.`);
            if (list === 'x-open-points' && !Array.isArray(entry.observations))
              problems.push(`${entry.id} needs "observations", if only an empty list.`);
            seen.add(entry.id);
            for (const message of problems) report({ message, location: location.child([list, index]) });
          }
        }
      },
    },
  };
}

export default function contractPlugin() {
  const rules = { 'operation-secured': operationSecured, 'error-shape': errorShape, 'error-name': errorName };
  return { id: 'contract', rules: { oas3: { ...rules, requirements } } };
}
