/** What not every system has, for `describe.runIf` and `it.runIf`. */
import { spawnSync } from 'node:child_process';

const starts = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** Signals that a process can handle, file modes, device files and a shell in which a path is a path. Windows has none of them. */
export const isPosix = process.platform !== 'win32';

/** Whether a process group can be started by a command (util-linux). */
export const hasSetsid = starts('setsid', '--version');

/** Whether there is a device that is always full. */
export const hasFullDevice = process.platform === 'linux';

/** Whether certificates can be made. */
export const hasOpenssl = starts('openssl', 'version');
