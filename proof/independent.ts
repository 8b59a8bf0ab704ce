import type { Gate } from './gates.ts';
export function proveIndependent(_isChosen: (id: string) => boolean): Promise<Gate[]> {
  return Promise.resolve([]);
}
