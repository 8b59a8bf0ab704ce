import { writeFile } from 'node:fs/promises';
import { contractArtifacts } from './contract-artifacts.mjs';

for (const [file, content] of Object.entries(await contractArtifacts())) {
  await writeFile(new URL(`../${file}`, import.meta.url), content);
  console.log(`wrote ${file}`);
}
