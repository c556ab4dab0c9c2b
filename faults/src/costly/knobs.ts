// How many there are of each thing in the parts of a genome, and how many send it: the numbers by which a request grows.
import type { Genome } from './genome.ts';
import { mapped, type Parts, type Term } from './term.ts';

/** What a number becomes, by its place among all of them. */
type Turn = (value: number, at: number) => number;

/** Larger ones are past every limit. */
const most = 1_000_000;

const whole = (value: number): number => Math.min(most, Math.max(1, Math.round(value)));

const withNumbers = (text: string, turn: (value: number) => number): string =>
  text.replace(/[2-9]|[1-9]\d{1,5}/g, (digits) => String(turn(Number(digits))));

/** Of texts, those that say how often they stand there, and the numbers in all. What is kept has none of its own, but its parts have. */
const inTerm = (term: Term, turn: (value: number) => number): Term =>
  mapped(term, (one) => {
    if ('list' in one) return { ...one, count: turn(one.count) };
    if ('nest' in one) return { ...one, depth: turn(one.depth) };
    if ('text' in one) {
      const text = withNumbers(one.text, turn);
      return { ...one, text, ...(one.times !== undefined && { times: turn(one.times) }) };
    }
    if (!('object' in one) || !one.more) return one;
    return { ...one, more: one.more.map((some) => ({ ...some, count: turn(some.count) })) };
  });

/** The genome with each of its numbers turned. */
export const turned = (genome: Genome, turn: Turn): Genome => {
  let at = 0;
  const next = (value: number): number => whole(turn(value, at++));
  const parts: Parts = Object.fromEntries(
    Object.entries(genome.parts ?? {}).map(([name, term]) => [name, inTerm(term, next)]),
  );
  if (genome.alone) return { ...genome, parts };
  const senders = Math.min(150, next(genome.senders ?? 1));
  return { ...genome, parts, ...(senders > 1 || genome.senders ? { senders } : {}) };
};

export const knobsOf = (genome: Genome): number[] => {
  const found: number[] = [];
  turned(genome, (value) => {
    found.push(value);
    return value;
  });
  return found;
};

/** How large a request is by its numbers, whatever it costs: twice as many of one thing are one more. */
export const sizeOf = (genome: Genome): number =>
  knobsOf(genome).reduce((sum, value) => sum + Math.log2(value), 0);
