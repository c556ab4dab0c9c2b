// npm run alerts: each alert has what a person needs, a test that fires it and one that does not; promtool runs the tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { anchorsIn } from './anchors.mjs';
import { localStack } from './local-stack.mjs';
import { root, runQuiet } from './processes.mjs';

const folder = join(root, 'observe');
const runbook = 'docs/runbook.md';
const read = (file) => readFileSync(join(root, file), 'utf8');
const rules = parse(read('observe/rules.yml')).groups.flatMap((group) => group.rules);
const { tests } = parse(read('observe/rules.test.yml'));
const page = read(runbook);
const anchors = new Set(anchorsIn(page));

const expectations = tests.flatMap((test) => test.alert_rule_test);
const isTested = (alert, fires) =>
  expectations.some(({ alertname, exp_alerts }) => alertname === alert && exp_alerts.length > 0 === fires);

const anchorOf = ({ annotations }) => annotations?.runbook?.replace(`${runbook}#`, '');

/** Each rule: a condition, and the sentence for the one that lacks it. */
const conditions = [
  [({ labels }) => ['page', 'ticket'].includes(labels?.severity), 'severity is neither page nor ticket'],
  [({ annotations }) => annotations?.summary?.endsWith('.'), 'summary is no sentence'],
  [(rule) => anchors.has(anchorOf(rule)), `runbook leads to no heading of ${runbook}`],
  [
    (rule) =>
      page
        .split('\n')
        .some((line) => line.startsWith(`| ${rule.alert} |`) && line.includes(`(#${anchorOf(rule)})`)),
    `${runbook} has no line with its name and that link in the table of alerts`,
  ],
  [({ alert }) => isTested(alert, true), 'no test makes it fire'],
  [({ alert }) => isTested(alert, false), 'no test keeps it quiet'],
];

const problems = rules.flatMap((rule) =>
  conditions.filter(([holds]) => !holds(rule)).map(([, sentence]) => `${rule.alert}: ${sentence}`),
);

/** The configuration names the rules by their place in the container. */
const commands = [
  ['check', 'config', '--syntax-only', join(folder, 'prometheus.yml')],
  ['check', 'rules', join(folder, 'rules.yml')],
  ['test', 'rules', join(folder, 'rules.test.yml')],
];

const program = await (await localStack()).ensurePromtool();
for (const args of commands) {
  const { code, output } = await runQuiet(program, args);
  if (code !== 0) problems.push(`promtool ${args.slice(0, 2).join(' ')}:\n${output.trim()}`);
}
for (const problem of problems) console.error(problem);
console.log(`${rules.length} alerts, ${tests.length} tests`);
process.exitCode = problems.length > 0 ? 1 : 0;
