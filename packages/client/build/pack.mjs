// npm run client: packs what is built, with the address of this clone. node build/pack.mjs [folder of the tarball] [clone]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { membersFor } from './repository.mjs';

const client = fileURLToPath(new URL('..', import.meta.url));
const [target = '.', clone = client] = process.argv.slice(2);

/** What npm chooses from: its own list is in package.json. */
const parts = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist'];

const folder = mkdtempSync(join(tmpdir(), 'roster-client-'));
try {
  for (const part of parts) cpSync(join(client, part), join(folder, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
  const members = membersFor(clone);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...members }, null, 2));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(target)];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }));
  console.log(resolve(target, filename));
  if (!members)
    console.error(
      'It has no "repository" and no "homepage": the remote "origin" of this clone is no https or ssh address of a public host. Set it with "git remote set-url origin <address>", and pack again.',
    );
} finally {
  rmSync(folder, { recursive: true });
}
