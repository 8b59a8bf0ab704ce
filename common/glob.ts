/** Globs of ids, in which `*` stands for any text. */

/** Whether a name fits a glob: its parts between the asterisks follow each other in the name. It takes no way twice. */
function fits(glob: string, name: string): boolean {
  const [first = '', ...parts] = glob.split('*');
  const last = parts.pop();
  if (last === undefined) return name === first;

  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= name.length && name.endsWith(last);
}

/** Whether a name fits one of some globs. */
export function matchesOne(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => fits(glob, name));
}
