import type { ReferenceServerOptions } from '../../reference-server/server.ts';

/** Makes a server stop in the middle of a run, whatever the speed of the machine. */
export function hold() {
  let release = (): void => undefined;
  let change = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const changed = new Promise<void>((done) => (change = done));
  const around: NonNullable<ReferenceServerOptions['around']> = (handle, { users }) => {
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
  };
  return {
    around,
    /** Resolves when an update has changed a user; the responses from this one on are held back. */
    changed,
    /** Lets them go. */
    release,
  };
}
