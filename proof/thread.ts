// What each thread of the proof does.
import { defects, variants } from './catalogue.ts';
import { type Judged, judgeServer } from './judge.ts';
import { withBoth } from './pairs.ts';
import type { Defect, Variant } from './server.ts';
import type { Job } from './threads.ts';

const servers = new Map<string, Defect | Variant>([...defects, ...variants].map((each) => [each.id, each]));

function serverOf(id: string): Defect | Variant {
  const server = servers.get(id);
  if (!server) throw new Error(`The proof has no server ${id}.`);
  return server;
}

/** Judges one server, or one with two defects. */
export default function judge({ id, first }: Job): Promise<Judged> {
  const server = serverOf(id);
  if (first === undefined) return judgeServer(server);
  return judgeServer({ behaviour: withBoth(serverOf(first).behaviour, server.behaviour) });
}
