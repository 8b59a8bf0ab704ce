/** What is open until it is closed: a server, a client. */
interface Open {
  readonly close: () => Promise<void>;
}

/** Lets something be done with what was started, and closes it whatever happens. */
export async function using<Started extends Open, T>(
  started: Started | Promise<Started>,
  use: (started: Started) => T | Promise<T>,
): Promise<T> {
  const own = await started;
  try {
    return await use(own);
  } finally {
    await own.close();
  }
}
