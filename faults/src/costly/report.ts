// What was found, for the reader: a line for the worst request of each operation.
import type { Genome } from './genome.ts';
import { type Cost, strainsOf } from './judge.ts';
import type { Measured } from './weaknesses.ts';

const whatWasSent = ({ title = 'found by the search', before, senders, heldBack }: Genome): string =>
  [
    title,
    ...(before && !title.includes('big') ? ['after preparation'] : []),
    ...(senders ? [`${senders} at once`] : []),
    ...(heldBack ? [heldBack === 'for good' ? 'last bytes never' : 'last bytes late'] : []),
  ].join(', ');

/** The first few, the highest first. */
const highestOf = (values: Record<string, number>, count: number): string =>
  Object.entries(values)
    .filter(([, value]) => value >= 0.5)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, value]) => `${name} ${value.toFixed(value < 10 ? 1 : 0)}`)
    .join(' ');

const verdictOf = (cost: Cost): string => {
  const [worst] = strainsOf(cost);
  if (!worst) return 'nothing';
  if (cost.refusedSteps > 0) return `not prepared: ${cost.refusedSteps} steps were refused`;
  return worst.share > 1
    ? `TOO MUCH: ${worst.sentence}`
    : `${(worst.share * 100).toFixed(0)} % of ${worst.bar}`;
};

const rowOf = ({ genome, cost }: Measured) => ({
  operation: genome.operation,
  sent: whatWasSent(genome),
  answered: `${(cost.bytes / 1e3).toFixed(1)} KB -> ${cost.status}${cost.isTakenIn ? '' : ' refused'}`,
  'CPU ms': highestOf(cost.cpuMs, 4),
  'block ms': highestOf(cost.blockMs, 1),
  'memory MB': highestOf(cost.peakMb, 1),
  verdict: verdictOf(cost),
});

export const showTable = (measured: readonly Measured[]): void => console.table(measured.map(rowOf));
