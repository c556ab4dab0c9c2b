// node scripts/prometheus-rule.mjs [--check]: writes the rules of observe/ for the Prometheus Operator, or tells whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from './processes.mjs';

const file = 'k8s/components/metrics/alerts.yaml';
const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'roster', namespace: 'roster' },
  spec: parse(readFileSync(join(root, 'observe/rules.yml'), 'utf8')),
};
const text = `# For the Prometheus Operator: made from observe/rules.yml by \`npm run docs\`.\n${stringify(rule, { lineWidth: 0 })}`;

const path = join(root, file);
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  console.error(`${file} is out of date: npm run docs`);
  process.exitCode = 1;
}
