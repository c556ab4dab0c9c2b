import { deadLetterCodes } from '@roster/contract';
import {
  causes,
  type Evidence,
  mostTogether,
  type NextStep,
  points,
  readEvidence,
  stepsFor,
  writeCause,
} from './evidence.ts';

const blocked = { code: 'blocked', reason: "the worker's event loop was blocked for 3 s" };
const tried = (...places: number[]): NextStep => ({ kind: 'try', places });
const { computing, waiting } = points;

describe('what to do with requests after their worker vanished', () => {
  const table: [string, Evidence[], NextStep[]][] = [
    ['without evidence they are tried together', [undefined, undefined], [tried(0, 1)]],
    ['a suspect is alone', [undefined, computing, undefined], [tried(0), tried(1), tried(2)]],
    ['however little there is against it', [waiting, undefined], [tried(0), tried(1)]],
    ['two ends while it computed are not enough', [2 * computing], [tried(0)]],
    ['three are', [undefined, 3 * computing], [tried(0), { kind: 'dead', place: 1, cause: causes.crash() }]],
    ['thirty while it waited are, too', [30 * waiting], [{ kind: 'dead', place: 0, cause: causes.crash() }]],
    ['ten of these are not', [10 * waiting], [tried(0)]],
    ['a known cause is enough', [blocked], [{ kind: 'dead', place: 0, cause: blocked }]],
  ];
  it.each(table)('%s', (_, evidence, steps) => expect(stepsFor(evidence)).toEqual(steps));

  it('keeps the number small that one more end makes suspects of', () => {
    const steps = stepsFor(Array.from({ length: 1000 }, () => undefined));
    expect(steps).toHaveLength(Math.ceil(1000 / mostTogether));
    expect(steps.flatMap((step) => (step.kind === 'try' ? step.places : []))).toEqual(
      Array.from({ length: 1000 }, (_, place) => place),
    );
  });

  it('gives the reasons that the docs give', () => {
    const all = [causes.crash(), causes.blocked(3_000), causes.outOfMemory(400_000_000), causes.exit()];
    for (const { code, reason } of all)
      expect(deadLetterCodes).toHaveProperty(code, expect.objectContaining({ reason }));
  });

  it('reads what it wrote', () => {
    expect(readEvidence(writeCause(blocked))).toEqual(blocked);
    expect([readEvidence('21'), readEvidence(null), readEvidence('')]).toEqual([21, undefined, undefined]);
  });
});
