// What was found, for the reader: a line for the worst request of each operation.
import type { Genome } from './genome.ts';
import { type Cost, strainsOf } from './judge.ts';
import type { Measured } from './weaknesses.ts';

const size = (bytes: number): string =>
  bytes < 10_000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(0)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

const whatWasSent = ({ title = 'found by the search', before, senders, heldBack }: Genome): string =>
  [
    title,
    ...(before && !title.includes('big') ? ['after preparation'] : []),
    ...(senders ? [`${senders} at once`] : []),
    ...(heldBack ? [heldBack === 'for good' ? 'last bytes never' : 'last bytes late'] : []),
  ].join(', ');

const busyOnes = ({ cpuMs }: Cost): string =>
  Object.entries(cpuMs)
    .filter(([, ms]) => ms >= 0.5)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([name, ms]) => `${name} ${ms.toFixed(ms < 10 ? 1 : 0)}`)
    .join(' ');

const most = (values: Record<string, number>): string => {
  const [name = 'none', value = 0] = Object.entries(values).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return `${name} ${value.toFixed(0)}`;
};

const verdictOf = (cost: Cost): string => {
  const [worst] = strainsOf(cost);
  if (!worst) return 'nothing';
  if (cost.refusedSteps > 0) return `not prepared: ${cost.refusedSteps} steps were refused`;
  return worst.share > 1
    ? `TOO MUCH: ${worst.sentence}`
    : `${(worst.share * 100).toFixed(0)} % of ${worst.bar}`;
};

const cells = ({ genome, cost }: Measured): string[] => [
  genome.operation,
  whatWasSent(genome),
  `${size(cost.bytes)} -> ${cost.status}${cost.isTakenIn ? '' : ' refused'}`,
  busyOnes(cost),
  most(cost.blockMs),
  most(cost.peakMb),
  verdictOf(cost),
];

const head = ['operation', 'sent', 'answered', 'CPU ms', 'block ms', 'memory MB', 'verdict'];

export const tableOf = (measured: readonly Measured[]): string => {
  const rows = [head, ...measured.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
};
