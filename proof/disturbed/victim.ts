import { runTarget } from '../../conformance/run.ts';
import { inputsFor } from '../servers/behaviour.ts';

// The process that is killed: it judges the target whose address it is given, with a journal.
const [, , url = '', journal = ''] = process.argv;
await runTarget(inputsFor(url), { journal });
