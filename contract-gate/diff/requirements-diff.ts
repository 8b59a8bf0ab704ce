import {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  change,
  COMPATIBLE,
  type Bump,
  type Change,
} from './change.ts';
import { placeOf, type Description, type Located } from './description.ts';
import { arrayOf, atPointer, below, isRecord, member, stableJson, textOf } from '../../common/json.ts';
import { compareWording } from './wording.ts';

type Kind = 'x-requirements' | 'x-open-points';

/** A requirement or an open point. */
interface Entry {
  readonly id: string;
  readonly place: Located;
  /** Pointer of the object that carries it. */
  readonly of: string;
}

/** Visits every object and array of a document, extensions with values of their own excepted. */
function visit(located: Located, see: (located: Located) => void): void {
  const { value, pointer, description } = located;
  if (typeof value !== 'object' || value === null) return;
  see(located);
  for (const [key, each] of Object.entries(value)) {
    if (['example', 'examples', 'default', 'enum', 'const'].includes(key) && !pointer.endsWith('/properties')) continue;
    visit({ description, pointer: below(pointer, key), value: each as unknown }, see);
  }
}

function entriesOf(description: Description, kind: Kind): Map<string, Entry> {
  const found = new Map<string, Entry>();
  visit({ description, pointer: '', value: description.root }, ({ pointer, value }) => {
    if (Array.isArray(value)) return;
    arrayOf(member(value, kind)).forEach((each, index) => {
      const id = textOf(member(each, 'id'));
      const place = { description, pointer: below(pointer, kind, index), value: each };
      if (id !== undefined && !found.has(id)) found.set(id, { id, place, of: pointer });
    });
  });
  return found;
}

function valueOf(entry: Entry, key: string): string {
  return textOf(member(entry.place.value, key)) ?? '';
}

/** Compares what the documents say in terms of their own: requirements, open points, sample types. */
export function diffRequirements(base: Description, head: Description): Change[] {
  return [
    ...diffEntries(entriesOf(base, 'x-requirements'), entriesOf(head, 'x-requirements')),
    ...diffOpenPoints(entriesOf(base, 'x-open-points'), entriesOf(head, 'x-open-points')),
    ...diffSampleTypes(base, head),
  ];
}

function diffEntries(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): Change[] {
  const found: Change[] = [];
  for (const [id, entry] of before) {
    if (after.has(id)) continue;
    const effect = binds(entry) ? BREAKS_CLIENTS : COMPATIBLE;
    found.push(change('requirement-removed', placeOf(entry.place), effect, `the ${levelOf(entry)} ${id} is gone`));
  }
  for (const [id, now] of after) {
    const old = before.get(id);
    if (old === undefined) {
      const effect = binds(now) ? BREAKS_IMPLEMENTERS : COMPATIBLE;
      found.push(change('requirement-added', placeOf(now.place), effect, `the ${levelOf(now)} ${id} is new`));
    } else {
      found.push(...diffRequirement(old, now));
    }
  }
  return found;
}

function levelOf(entry: Entry): string {
  return valueOf(entry, 'level') || 'requirement';
}

/** Whether a server has to meet it in order to conform. */
function binds(entry: Entry): boolean {
  return valueOf(entry, 'level') !== 'should';
}

function diffRequirement(old: Entry, now: Entry): Change[] {
  const { id } = now;
  const place = placeOf(now.place);
  const found: Change[] = [];
  if (binds(old) !== binds(now)) {
    const effect = binds(old) ? BREAKS_CLIENTS : BREAKS_IMPLEMENTERS;
    const message = `${id} was a ${levelOf(old)} and is a ${levelOf(now)}`;
    found.push(change('requirement-level', place, effect, message));
  }
  const wording = compareWording(valueOf(old, 'text'), valueOf(now, 'text'));
  if (wording === 'spelling') {
    found.push(change('requirement-spelling', place, COMPATIBLE, `${id} is spelled differently`, 'patch'));
  } else if (wording === 'rewording') {
    const message = `${id} is reworded; if it means something else, give it a new id`;
    found.push({ ...change('requirement-reworded', place, COMPATIBLE, message), review: true });
  } else if (wording === 'meaning') {
    const effect = binds(old) || binds(now) ? BREAKS_BOTH : COMPATIBLE;
    const message = `${id} has another meaning; give it a new id`;
    found.push({ ...change('requirement-changed', place, effect, message), review: true });
  }
  if (old.of !== now.of) {
    found.push(change('requirement-moved', place, COMPATIBLE, `${id} moved`, 'patch'));
  }
  if (valueOf(old, 'source') !== valueOf(now, 'source')) {
    found.push(change('requirement-source', place, COMPATIBLE, `${id} names another place in the source`, 'patch'));
  }
  return found;
}

function diffOpenPoints(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): Change[] {
  const found: Change[] = [];
  for (const [id, { place }] of before) {
    if (!after.has(id)) found.push(change('open-point-removed', placeOf(place), COMPATIBLE, `${id} is no longer open`));
  }
  for (const [id, now] of after) {
    const old = before.get(id);
    if (old === undefined) found.push(change('open-point-added', placeOf(now.place), COMPATIBLE, `${id} is open now`));
    else found.push(...diffOpenPoint(old, now));
  }
  return found;
}

function diffOpenPoint(old: Entry, now: Entry): Change[] {
  const { id } = now;
  const place = placeOf(now.place);
  const found: Change[] = [];
  for (const key of ['ruling', 'text']) {
    const wording = compareWording(valueOf(old, key), valueOf(now, key));
    if (wording === 'spelling') {
      found.push(change('open-point-spelling', place, COMPATIBLE, `${id}: its ${key} is spelled differently`, 'patch'));
    } else if (wording !== 'same') {
      const message =
        key === 'ruling'
          ? `${id} has another ruling; what a server may no longer do belongs in a requirement`
          : `${id} is described in different words`;
      found.push({ ...change(`open-point-${key}`, place, COMPATIBLE, message), review: true });
    }
  }
  if (valueOf(old, 'kind') !== valueOf(now, 'kind')) {
    found.push(change('open-point-kind', place, COMPATIBLE, `${id} is now of the kind ${valueOf(now, 'kind')}`));
  }
  if (valueOf(old, 'source') !== valueOf(now, 'source') || old.of !== now.of) {
    found.push(change('open-point-moved', place, COMPATIBLE, `${id} moved`, 'patch'));
  }
  return [...found, ...diffObservations(old, now)];
}

function diffObservations(old: Entry, now: Entry): Change[] {
  const texts = (entry: Entry): Map<string, string> =>
    new Map(
      arrayOf(member(entry.place.value, 'observations')).map((each) => [
        textOf(member(each, 'id')) ?? '',
        textOf(member(each, 'text')) ?? '',
      ]),
    );
  const [before, after] = [texts(old), texts(now)];
  const place = placeOf(now.place);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    const label = `${now.id}, observation ${id}`;
    if (was === undefined) return [change('observation-added', place, COMPATIBLE, `${label}, is new`)];
    if (is === undefined) return [change('observation-removed', place, COMPATIBLE, `${label}, is gone`)];
    const wording = compareWording(was, is);
    if (wording === 'same') return [];
    const least: Bump = wording === 'spelling' ? 'patch' : 'minor';
    return [change('observation-text', place, COMPATIBLE, `${label}, is reworded`, least)];
  });
}

const SAMPLE_TYPE = 'x-sample-type';

/** The sample types of a document (what a member should be, at level `should`), by the place that they stand at. */
function sampleTypesOf(description: Description): Map<string, Located> {
  const found = new Map<string, Located>();
  visit({ description, pointer: '', value: description.root }, ({ pointer, value }) => {
    const type = isRecord(value) ? value[SAMPLE_TYPE] : undefined;
    if (type === undefined) return;
    const at = below(pointer, SAMPLE_TYPE);
    found.set(at, { description, pointer: at, value: type });
  });
  return found;
}

function diffSampleTypes(base: Description, head: Description): Change[] {
  const [before, after] = [sampleTypesOf(base), sampleTypesOf(head)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((at) => {
    const [old, now] = [before.get(at), after.get(at)];
    const place = now ?? old;
    const [was, is] = [old, now].map((each) => (each === undefined ? 'none' : stableJson(each.value)));
    if (place === undefined || was === is) return [];
    // Where the member came or went with its type, that is the change.
    const other = now === undefined ? head : base;
    if (atPointer(other.root, at.slice(0, -SAMPLE_TYPE.length - 1)) === undefined) return [];
    return [
      change(
        'sample-type-changed',
        placeOf(place),
        COMPATIBLE,
        `${SAMPLE_TYPE} changes from ${was ?? ''} to ${is ?? ''}`,
      ),
    ];
  });
}
