import { runGate } from './command.ts';

process.exitCode = await runGate(process.argv.slice(2));
