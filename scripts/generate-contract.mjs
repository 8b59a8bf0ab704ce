import { readFile, writeFile } from 'node:fs/promises';
import { contractArtifacts } from './contract-artifacts.mjs';

for (const [file, content] of Object.entries(await contractArtifacts())) {
  const place = new URL(`../${file}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    await writeFile(place, content);
    console.log(`wrote ${file}`);
  } else if ((await readFile(place, 'utf8').catch(() => '')) !== content) {
    console.error(`${file} is not what openapi.yaml gives; run npm run generate.`);
    process.exitCode = 1;
  }
}
