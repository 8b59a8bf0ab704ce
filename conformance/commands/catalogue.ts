import { openPoints, requirements, type OpenPoint, type Requirement } from '../../contract/document.ts';
import type { Check } from '../check.ts';
import { checks, checksOf, requirementsOf } from '../checks/catalogue.ts';
import { INPUT_HELP } from '../inputs.ts';
import { paintFor, wrap, type Paint } from '../report/paint.ts';
import { hint } from '../selection.ts';
import { columnsOf, type Command } from './io.ts';
import { oneOf, parseArguments, UsageError } from './usage.ts';

const LIST_HELP = `Usage: admin-api-conformance list [--format pretty|json]

Lists the requirements of the contract with their levels, and the checks that
judge them.
`;

const EXPLAIN_HELP = `Usage: admin-api-conformance explain ID

Tells all about one requirement, check or open point: its text, where it stands
in the source, how it is judged, and the ways to fail.
`;

function listing(paint: Paint, width: number): string {
  const lines = requirements.flatMap((requirement) => [
    `${paint('bold', requirement.id)}  ${paint(requirement.level === 'must' ? 'red' : 'yellow', requirement.level)}`,
    wrap(requirement.text, width, '  '),
    paint(
      'dim',
      wrap(
        checksOf(requirement)
          .map(({ id }) => id)
          .join(', '),
        width,
        '    ',
      ),
    ),
  ]);
  return `${lines.join('\n')}\n\n${requirements.length} requirements, ${checks.length} checks, ${openPoints.length} open points\n`;
}

function checkRecord({ id, area, level, title, requirements: own, needs, failureModes }: Check) {
  return {
    id,
    area,
    level,
    title,
    requirements: own,
    needs: needs.map((name) => INPUT_HELP[name].variable),
    failureModes,
  };
}

/** `list`: requirements, checks, levels. */
export const list: Command = (args, { out, environment }) => {
  const { values } = parseArguments(args, { format: { type: 'string' }, help: { type: 'boolean', short: 'h' } }, 0);
  if (values.help === true) {
    out.write(LIST_HELP);
    return Promise.resolve(0);
  }
  const format = oneOf('--format', (values.format as string | undefined) ?? 'pretty', ['pretty', 'json']);
  if (format === 'json') {
    const record = {
      requirements: requirements.map((requirement) => ({
        ...requirement,
        checks: checksOf(requirement).map(({ id }) => id),
      })),
      checks: checks.map(checkRecord),
      openPoints,
    };
    out.write(`${JSON.stringify(record, null, 2)}\n`);
  } else {
    out.write(listing(paintFor(out, environment), columnsOf(out)));
  }
  return Promise.resolve(0);
};

function requirementText(requirement: Requirement, paint: Paint, width: number): string {
  const own = checksOf(requirement).map(({ id, title }) => wrap(`${id}: ${title}`, width, '    ', '  '));
  return [
    `${paint('bold', requirement.id)}  a requirement, ${requirement.level}`,
    wrap(requirement.text, width, '  '),
    '',
    wrap(`Source: ${requirement.source}`, width, '  '),
    wrap(`In openapi.yaml: ${requirement.pointer}`, width, '  '),
    '',
    'Judged by',
    ...own,
  ].join('\n');
}

function checkText(check: Check, paint: Paint, width: number): string {
  const needs = check.needs.map((name) => `  ${INPUT_HELP[name].variable}: ${INPUT_HELP[name].meaning}`);
  const modes = Object.entries(check.failureModes).map(([mode, advice]) =>
    wrap(`${mode}: ${advice}`, width, '    ', '  '),
  );
  const judged = requirementsOf(check).flatMap(({ id, text, source }) => [
    wrap(`${id}: ${text}`, width, '    ', '  '),
    paint('dim', wrap(`Source: ${source}`, width, '    ')),
  ]);
  return [
    `${paint('bold', check.id)}  a check, ${check.level}`,
    wrap(check.title, width, '  '),
    '',
    'It judges',
    ...judged,
    '',
    'It needs',
    ...needs,
    '',
    'It can fail in these ways',
    ...modes,
  ].join('\n');
}

function openPointText(point: OpenPoint, paint: Paint, width: number): string {
  const observations = point.observations.map(({ id, text }) => wrap(`${id}: ${text}`, width, '    ', '  '));
  return [
    `${paint('bold', point.id)}  an open point, ${point.kind}`,
    wrap(point.text, width, '  '),
    '',
    wrap(`Ruling: ${point.ruling}`, width, '  '),
    wrap(`Source: ${point.source}`, width, '  '),
    '',
    ...(observations.length > 0
      ? ['It is never judged. What can be observed', ...observations]
      : ['It cannot be observed from outside.']),
  ].join('\n');
}

/** `explain`: one requirement, check or open point. */
export const explain: Command = (args, { out, environment }) => {
  const { values, positionals } = parseArguments(args, { help: { type: 'boolean', short: 'h' } }, 1);
  if (values.help === true) {
    out.write(EXPLAIN_HELP);
    return Promise.resolve(0);
  }
  const [id] = positionals;
  if (id === undefined)
    throw new UsageError('explain: give the id of a requirement, a check or an open point; "list" shows them.');
  const paint = paintFor(out, environment);
  const width = columnsOf(out);
  const texts = [
    ...requirements.filter((each) => each.id === id).map((each) => requirementText(each, paint, width)),
    ...checks.filter((each) => each.id === id).map((each) => checkText(each, paint, width)),
    ...openPoints.filter((each) => each.id === id).map((each) => openPointText(each, paint, width)),
  ];
  if (texts.length === 0) {
    const known = [...requirements, ...checks, ...openPoints].map((each) => each.id);
    throw new UsageError(`explain: nothing is called ${id}.${hint(id, known)}`);
  }
  out.write(`${texts.join('\n\n')}\n`);
  return Promise.resolve(0);
};
