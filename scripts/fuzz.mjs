// A stranger's fuzzer against the served document: no 5xx, no undocumented status, no answer that breaks its own schema; what the schema
// allows is taken, and what it doesn't is refused.
// node scripts/fuzz.mjs [seconds] [--seed n]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzerConfig } from './fuzz-limits.mjs';
import { prepare } from './prepare.mjs';
import { runLoud } from './processes.mjs';
import { pythonTool } from './python-tool.mjs';
import { writeTotals } from './totals.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const seconds = Number(positionals[0] ?? 60);
const seed = values.seed ?? String(Math.floor(Date.now() / 1000) % 1_000_000);

const argumentsFor = ({ baseUrl, apiKey }, config) => [
  '--config-file',
  config,
  'run',
  `${baseUrl}/openapi.json`,
  '--header',
  `Authorization: Bearer ${apiKey}`,
  '--phases',
  'examples,coverage,fuzzing',
  '--max-time',
  String(seconds),
  '--seed',
  seed,
  // One: two threads that parse Python at once can confuse Python before 3.11.8 (its issue 106905).
  '--workers',
  '1',
  '--request-timeout',
  '15',
  '--suppress-health-check',
  'all',
  '--warnings',
  'off',
  '--no-color',
];

const fuzz = async () => {
  const schemathesis = await pythonTool('schemathesis', ['schemathesis==4.32.5']);
  await prepare('compile');
  const { startStack } = await import('../packages/local-stack/dist/index.js');
  const dir = mkdtempSync(join(tmpdir(), 'roster-fuzz-'));
  const stack = await startStack({ dir, env: { LOG_LEVEL: 'warn' }, say: () => {} });
  try {
    // In a folder of its own: it leaves a cache where it runs.
    const config = join(dir, 'schemathesis.toml');
    writeFileSync(config, fuzzerConfig());
    const code = await runLoud(schemathesis, argumentsFor(stack, config), {}, dir);
    const alive = Object.values(stack.processes).every((process) => process.isRunning());
    if (!alive) console.log('A process of the system died.');
    return code === 0 && alive;
  } finally {
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

const held = await fuzz().catch((error) => {
  console.error(error.message);
  return false;
});
console.log(`The fuzzer ${held ? 'found nothing' : 'found something, see above'} (seed ${seed}).`);
writeTotals({ passed: held ? 1 : 0, failed: held ? 0 : 1 });
