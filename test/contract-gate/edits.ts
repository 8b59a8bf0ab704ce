import { below, stepsOf } from '../../common/json.ts';

type Document = Record<string, unknown>;

/** Changes a document in place. */
export type Edit = (document: Document) => void;

function holder(document: Document, pointer: string): readonly [Record<string, unknown>, string] {
  const steps = stepsOf(pointer);
  const last = steps.pop() ?? '';
  let node: Record<string, unknown> = document;
  for (const step of steps) {
    const next = node[step];
    if (typeof next !== 'object' || next === null) throw new Error(`${pointer}: there is nothing at ${step}`);
    node = next as Record<string, unknown>;
  }
  return [node, last];
}

/** The value at a pointer. */
export function valueAt(document: Document, pointer: string): unknown {
  const [node, last] = holder(document, pointer);
  return node[last];
}

/** Puts a value at a pointer; `-` behind an array appends. */
export function set(pointer: string, value: unknown): Edit {
  return (document) => {
    const [node, last] = holder(document, pointer);
    if (last === '-') (node as unknown as unknown[]).push(structuredClone(value));
    else node[last] = structuredClone(value);
  };
}

/** Takes away what is at a pointer; it has to be there. */
export function remove(pointer: string): Edit {
  return (document) => {
    const [node, last] = holder(document, pointer);
    if (!(last in node)) throw new Error(`${pointer}: there is nothing to remove`);
    if (Array.isArray(node)) node.splice(Number(last), 1);
    else Reflect.deleteProperty(node, last);
  };
}

/** Gives what is at a pointer another key, or puts it elsewhere. */
export function move(from: string, to: string): Edit {
  return (document) => {
    const value = valueAt(document, from);
    remove(from)(document);
    set(to, value)(document);
  };
}

/** Replaces a text by another everywhere in a document. */
export function replaceText(from: string, to: string): Edit {
  return (document) => {
    const text = JSON.stringify(document);
    if (!text.includes(from)) throw new Error(`${from}: not there`);
    const changed = JSON.parse(text.replaceAll(from, to)) as Document;
    for (const key of Object.keys(document)) Reflect.deleteProperty(document, key);
    Object.assign(document, changed);
  };
}

/** The pointer of the statement with this id. */
export function statement(document: unknown, id: string, pointer = ''): string | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  for (const [key, each] of Object.entries(document)) {
    const at = below(pointer, key);
    const known = /\/x-(requirements|open-points)\/\d+$/.test(at) && (each as { id?: unknown }).id === id;
    const found = known ? at : statement(each, id, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An edit at the statement with this id. */
export function atStatement(id: string, edit: (pointer: string) => Edit): Edit {
  return (document) => {
    const pointer = statement(document, id);
    if (pointer === undefined) throw new Error(`there is no statement ${id}`);
    edit(pointer)(document);
  };
}
