import type { ReferenceServerOptions } from '../../reference-server/server.ts';

/** What makes a server stop in the middle of a run, whatever the speed of the machine. */
export interface Hold extends Required<Pick<ReferenceServerOptions, 'around'>> {
  /** Resolves when an update has changed a user; the responses from this one on are held back. */
  readonly changed: Promise<void>;
  /** Lets them go. */
  readonly release: () => void;
}

/** Makes a hold for one server. */
export function hold(): Hold {
  let release = (): void => undefined;
  let change = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const changed = new Promise<void>((done) => (change = done));
  return {
    changed,
    release,
    around: (handle, { users }) => {
      const before = JSON.stringify([...users]);
      let holding = false;
      return async (request) => {
        const response = handle(request);
        holding ||= JSON.stringify([...users]) !== before;
        if (holding) {
          change();
          await released;
        }
        return response;
      };
    },
  };
}
