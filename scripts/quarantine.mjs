// quarantine.json: tests that are known to be unsteady. They run and are told, but do not decide; each is a debt with a date.
// node scripts/quarantine.mjs: whether each entry is whole, names a file that is there, and has not expired.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

const mostDays = 30;
const dayMs = 24 * 3600 * 1000;
const members = ['file', 'test', 'reason', 'since', 'expires'];

/** `ROSTER_QUARANTINE`: another file, for tests. */
export const readQuarantine = () =>
  JSON.parse(readFileSync(process.env.ROSTER_QUARANTINE ?? join(root, 'quarantine.json'), 'utf8'));

const problemOf = (entry, today) => {
  const missing = members.filter((member) => typeof entry[member] !== 'string' || entry[member] === '');
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  const [since, expires] = [Date.parse(entry.since), Date.parse(entry.expires)];
  if (!(expires - since <= mostDays * dayMs)) return `expires more than ${mostDays} days after "since"`;
  if (today > expires + dayMs) return `expired on ${entry.expires}: mend the test`;
  if (!existsSync(join(root, entry.file))) return 'names a file that is not there';
  return undefined;
};

/** One sentence for each entry that is wrong. */
const problemsOf = (quarantine, today = Date.now()) =>
  quarantine.flatMap((entry) => {
    const problem = problemOf(entry, today);
    return problem ? [`quarantine.json: ${entry.file ?? '?'}: ${entry.test ?? '?'} ${problem}`] : [];
  });

const isMain = import.meta.url === pathToFileURL(process.argv[1] ?? '').href;
if (isMain) {
  const problems = problemsOf(readQuarantine());
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
