import { rmSync } from 'node:fs';
import { buildContract } from './contract-files.ts';

const FOLDER = 'build/contract';

rmSync(FOLDER, { recursive: true, force: true });
for (const path of await buildContract(FOLDER)) process.stdout.write(`${FOLDER}/${path}\n`);
