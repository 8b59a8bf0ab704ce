// Loaded before a program (node --import): tells on its end, through file descriptor 3, what it took.
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** s. On Linux with the processes that it started and that have ended. */
function cpuSeconds() {
  if (process.platform !== 'linux') return (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  // Behind the name, which may have blanks: utime, stime, cutime and cstime, in ticks of 10 ms.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

// It is loaded in every thread, and what it tells is of the process.
if (isMainThread)
  process.on('exit', () => {
    // maxRSS is in KiB.
    writeSync(3, JSON.stringify({ cpu: cpuSeconds(), peak: process.resourceUsage().maxRSS * 1024 }));
  });
