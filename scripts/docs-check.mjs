// npm run docs-check [-- page ...]: pastes every shell block of the pages for users into a fresh stack, in their order, and holds what the pages say
// that it answers. How a page says so: docs-check/blocks.mjs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPages } from './docs-check/check-pages.mjs';
import { filesIn } from './files.mjs';
import { inMemory } from './memory.mjs';
import { prepare } from './prepare.mjs';
import { root } from './processes.mjs';
import { writeTotals } from './totals.mjs';

const files = filesIn();

/** For users: those of other packages are for who changes them. */
const forUsers = /^(README|docs\/[^/]+|examples\/README|packages\/(cli|client|integrations)\/README)\.md$/;
const wanted = process.argv.slice(2);
const pages = files
  .filter((file) => forUsers.test(file) && (wanted.length === 0 || wanted.includes(file)))
  // As a reader comes to them: README, then the docs.
  .sort((a, b) => a.split('/').length - b.split('/').length || a.localeCompare(b));

/** A folder that looks like a new checkout, in which blocks may write: its entries are links to ours. */
const makeCheckout = (folder) => {
  const entries = new Set([...files.map((file) => file.split('/')[0]), 'bundle', 'node_modules']);
  for (const entry of entries) symlinkSync(join(root, entry), join(folder, entry));
};

await prepare('build');
const scraps = mkdtempSync(join(inMemory().TMPDIR ?? tmpdir(), 'roster-docs-'));
const checkout = join(scraps, 'roster');
const home = join(checkout, '.roster');
mkdirSync(checkout);
makeCheckout(checkout);
// Without the progress of a curl, which goes to a terminal only. An answer of 4xx or 5xx fails a curl, without a word about it in the pages.
writeFileSync(join(scraps, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');

const { startStack } = await import('../packages/local-stack/dist/index.js');
const { startPostgresql } = await import('../packages/testkit/dist/index.js');
const running = [];
const leave = async () => {
  for (const server of running.splice(0).reverse()) await server.stop();
  rmSync(scraps, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => leave().then(() => process.exit(1)));

const began = performance.now();
try {
  const warehouse = await startPostgresql({ dir: join(scraps, 'postgresql') });
  running.push(warehouse);
  const stack = await startStack({ dir: home, supervise: true, say: () => {} });
  running.push(stack);
  const up = performance.now();
  const env = {
    ...process.env,
    CURL_HOME: scraps,
    ROSTER_HOME: home,
    WAREHOUSE: warehouse.url,
    NO_COLOR: '1',
  };
  const { run, notRun, failed } = await checkPages(
    pages.map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') })),
    { cwd: checkout, scraps, env, say: console.log },
  );
  const [start, blocks] = [up - began, performance.now() - up].map((ms) => Math.round(ms / 1_000));
  console.log(
    `${run} blocks run, ${notRun} not run, ${failed} failed; ${start} s to start, ${blocks} s for the blocks`,
  );
  writeTotals({ passed: run - failed, failed });
  if (run === 0) process.exitCode = 1;
} finally {
  await leave();
}
