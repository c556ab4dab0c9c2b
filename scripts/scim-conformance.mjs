// The SCIM endpoints of a real stack against scim2-tester, a conformance checker from PyPI, in a virtual environment outside the checkout.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { root } from './processes.mjs';
import { pythonTool } from './python-tool.mjs';
import { writeTotals } from './totals.mjs';

const checker = 'scim2-tester[httpx2]==0.5.2';
const client = 'scim2-client==0.13.2';
const models = 'scim2-models==0.12.3';
const origin = 'https://checks.example.com';

// One of each: the checker draws names by chance, and compares what it sent with what comes back, so that a team of another workspace
// would be refused and what the service adds (the workspace of a role, the permissions of a set) would be a difference.
const company = {
  id: 'checks',
  name: 'Checks',
  workspaces: [{ name: 'Shop', teams: [{ name: 'Europe' }] }],
  roles: [{ name: 'Analyst' }],
  permission_sets: [{ name: 'Marketer' }],
};

/** Of the checker. */
const bounds = { timeoutMs: 120_000 };

const conform = async (home) => {
  const python = await pythonTool('python', [checker, client, models]);
  await prepare('compile');
  const { mustRun, roster, startStack } = await import('../packages/local-stack/dist/index.js');
  const stack = await startStack({ dir: home, say: () => {} });
  try {
    const file = join(home, 'checks.json');
    writeFileSync(file, JSON.stringify(company));
    const cli = { script: join(root, 'bundle/several.js'), env: { ...process.env, ROSTER_HOME: home } };
    const [, made] = await roster(cli, [
      ['company', 'apply', file],
      ['scim', 'token', 'create', '--company', company.id, '--origin', origin],
    ]);
    const asked = [`${stack.baseUrl}/scim/v2`, JSON.parse(made).token, origin, ...process.argv.slice(2)];
    const output = await mustRun(python, [join(root, 'scripts/scim-conformance.py'), ...asked], bounds);
    const lines = output.trim().split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) if (line) console.log(line);
    if (!last.startsWith('{')) throw new Error(`the checker came to no end: ${last}`);
    return JSON.parse(last);
  } finally {
    await stack.stop();
  }
};

const home = mkdtempSync(join(tmpdir(), 'roster-scim-'));
const totals = await conform(home).catch((error) => ({ passed: 0, failed: 1, reason: error.message }));
rmSync(home, { recursive: true, force: true });
const { passed, failed, skipped = 0, reason } = totals;
if (reason) console.log(`FAIL  ${reason}`);
// A check that was skipped was not passed.
const bad = failed + skipped;
console.log(`${passed} passed, ${bad} failed`);
writeTotals({ passed, failed: bad });
