/** `node packages/runtime/dist/generate-env.js [--check]`, from the root of the repository. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { envExample } from './env-example.ts';

const file = '.env.example';

if (!process.argv.includes('--check')) writeFileSync(file, envExample());
else if (!existsSync(file) || readFileSync(file, 'utf8') !== envExample()) {
  console.error(`${file} is not what the code says; run "npm run docs" and commit the result`);
  process.exitCode = 1;
}
