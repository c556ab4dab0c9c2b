// Builds an earlier version, for the trial in which it runs beside this one: node scripts/old-bundle.mjs <commit or tag>. Says where its bundles are.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './cache.mjs';
import { root, runLoud } from './processes.mjs';

const [wanted] = process.argv.slice(2);
if (!wanted) {
  console.error('usage: node scripts/old-bundle.mjs <commit or tag>');
  process.exit(2);
}

const commitOf = (name) =>
  execFileSync('git', ['rev-parse', '--verify', `${name}^{commit}`], { cwd: root, encoding: 'utf8' }).trim();

const must = async (command, args, cwd) => {
  const code = await runLoud(command, args, {}, cwd);
  if (code !== 0) process.exit(code);
};

const commit = commitOf(wanted);
const kept = join(cache, 'versions', commit.slice(0, 12));

// Only what was built to its end has its name.
if (!existsSync(kept)) {
  const making = `${kept}.${process.pid}`;
  mkdirSync(join(kept, '..'), { recursive: true });
  rmSync(making, { recursive: true, force: true });
  await must('git', ['clone', '--quiet', '--no-checkout', root, making], root);
  await must('git', ['checkout', '--quiet', commit], making);
  await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], making);
  await must('npm', ['run', '--silent', 'build'], making);
  renameSync(making, kept);
}
console.log(join(kept, 'bundle'));
