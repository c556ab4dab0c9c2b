// Small changes to a genome. Each keeps it a genome; whether it can still be sent is asked elsewhere.
import { type Dice, pick } from '../harness/dice.ts';
import type { Genome, Step } from './genome.ts';
import { knobsOf, turned } from './knobs.ts';
import { palette } from './palette.ts';
import { type Members, mapped, type Term } from './term.ts';

const partsOf = (term: Term): number => {
  let parts = 0;
  mapped(term, (part) => {
    parts++;
    return part;
  });
  return parts;
};

/** The term with one part changed, by its number. */
const changedAt = (term: Term, at: number, change: (part: Term) => Term): Term => {
  let number = 0;
  return mapped(term, (part) => (number++ === at ? change(part) : part));
};

const scaled = (count: number, dice: Dice): number =>
  pick(dice, [
    ...[count * 2, count * 2, count * 5, count * 10],
    ...[Math.ceil(count / 2), Math.ceil(count / 10), count + 1, 1],
  ]);

const withMore = (term: { object: { [name: string]: Term }; more?: Members[] }, dice: Dice): Term => {
  const { object, more = [] } = term;
  if (more.length > 0 && dice.below(3) > 0) {
    const at = dice.below(more.length);
    return {
      object,
      more: more.map((some, i) => (i === at ? { ...some, count: scaled(some.count, dice) } : some)),
    };
  }
  return { object, more: [...more, { name: `m${more.length}-{i}`, value: pick(dice, palette), count: 10 }] };
};

const withoutOne = (object: { [name: string]: Term }, dice: Dice): { [name: string]: Term } => {
  const at = dice.below(Object.keys(object).length);
  return Object.fromEntries(Object.entries(object).filter((_, i) => i !== at));
};

/** The change that fits this kind of part. */
const resized = (term: Term, dice: Dice): Term => {
  if ('list' in term) return { ...term, count: scaled(term.count, dice) };
  if ('nest' in term) return { ...term, depth: scaled(term.depth, dice) };
  if ('text' in term) return { ...term, times: scaled(term.times ?? 1, dice) };
  if ('raw' in term || 'part' in term || 'kept' in term) return term;
  if ('joined' in term) {
    const { joined } = term;
    const isLonger = joined.length < 2 || dice.below(2) === 0;
    const one = pick(dice, joined.length > 0 ? joined : palette);
    return { joined: isLonger ? [...joined, one] : joined.toSpliced(dice.below(joined.length), 1) };
  }
  if ('row' in term) {
    const one = pick(dice, term.row.length > 0 ? term.row : palette);
    return dice.below(2) === 0 ? { list: one, count: 50 } : { row: [...term.row, one] };
  }
  const { object, more } = term;
  const few = Object.keys(object).length === 0 || dice.below(4) > 0;
  return few ? withMore(term, dice) : { object: withoutOne(object, dice), ...(more && { more }) };
};

const mutateTerm = (term: Term, dice: Dice): Term => {
  const change = (part: Term): Term => {
    if ('kept' in part) return part;
    return 'raw' in part || dice.below(5) === 0 ? pick(dice, palette) : resized(part, dice);
  };
  return changedAt(term, dice.below(partsOf(term)), change);
};

const headerSets: readonly Record<string, string>[] = [
  {},
  { 'idempotency-key': 'key-{n}-{t}' },
  { prefer: 'wait=30' },
  { 'idempotency-key': 'key-{n}-{t}', prefer: 'wait=30' },
  { 'idempotency-key': `${'k'.repeat(240)}{t}` },
  { 'if-match': 'W/"1"' },
  { 'x-unknown': 'x'.repeat(8_000) },
  { 'content-type': 'text/plain' },
];

const mutateStep = (step: Step, dice: Dice): Step =>
  dice.below(2) === 0 || !step.body
    ? { ...step, times: Math.min(250, scaled(step.times, dice)) }
    : { ...step, body: mutateTerm(step.body, dice) };

/** One of those that have a name. */
const mutateOne = (terms: Readonly<Record<string, Term>>, dice: Dice): Record<string, Term> => {
  const name = pick(dice, Object.keys(terms));
  return { ...terms, [name]: mutateTerm(terms[name] ?? { text: '' }, dice) };
};

type Change = (genome: Genome, dice: Dice) => Genome;

const changeBody: Change = (genome, dice) =>
  genome.body ? { ...genome, body: mutateTerm(genome.body, dice) } : genome;

const changeQuery: Change = (genome, dice) =>
  genome.query && Object.keys(genome.query).length > 0
    ? { ...genome, query: mutateOne(genome.query, dice) }
    : genome;

const changeHeaders: Change = (genome, dice) => ({ ...genome, headers: pick(dice, headerSets) });

const changeSteps: Change = (genome, dice) => {
  const { before = [] } = genome;
  if (before.length === 0) return genome;
  const at = dice.below(before.length);
  return { ...genome, before: before.map((step, i) => (i === at ? mutateStep(step, dice) : step)) };
};

/** Messages have to come to be sent; of a form it is the waiting that costs. */
const heldBackOf = ({ road, operation }: Genome): Pick<Genome, 'heldBack'> => {
  if (road === undefined) return { heldBack: true };
  return operation.startsWith('pages.') ? { heldBack: 'for good' } : {};
};

const changeSenders: Change = (genome, dice) =>
  genome.alone
    ? genome
    : {
        ...genome,
        senders: Math.min(150, (genome.senders ?? 1) * pick(dice, [2, 4, 8])),
        ...(dice.below(2) === 0 && heldBackOf(genome)),
      };

/** Some of what can grow, at once: one alone is often nothing. Else the rest gives its bytes to them. */
const growParts: Change = (genome, dice) => {
  const count = knobsOf(genome).length;
  const chosen = new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.below(count)));
  const factor = pick(dice, [2, 4, 16, 64, 256, 1024]);
  const ofOthers = pick(dice, [1, 1, 0.25, 0]);
  return turned(genome, (value, at) => value * (chosen.has(at) ? factor : ofOthers));
};

const changePart: Change = (genome, dice) =>
  genome.parts && Object.keys(genome.parts).length > 0
    ? { ...genome, parts: mutateOne(genome.parts, dice) }
    : genome;

/** Every list longer or shorter: where one is held against another, neither says much alone. */
const changeCounts: Change = (genome, dice) => {
  if (!genome.body) return genome;
  const factor = pick(dice, [2, 2, 4, 0.5]);
  const scaledBy = (term: Term): Term =>
    'list' in term ? { ...term, count: Math.ceil(term.count * factor) } : term;
  return { ...genome, body: mapped(genome.body, scaledBy) };
};

/** By how often they are chosen. */
const changes: readonly Change[] = [
  ...Array.from({ length: 8 }, () => changeBody),
  ...Array.from({ length: 3 }, () => changeQuery),
  ...Array.from({ length: 2 }, () => changeCounts),
  changeHeaders,
  changeSteps,
  changeSteps,
  changeSenders,
];

/** Likewise where the search changes parts alone: preparations and the rest of a body are what makes a request one of its road. */
const changesOfParts: readonly Change[] = [growParts, growParts, growParts, changePart, changeSenders];

/** One to three small changes, at least one of which changes something. */
export const mutate = (genome: Genome, dice: Dice): Genome => {
  let child = genome;
  for (let tries = 0; child === genome && tries < 20; tries++)
    for (let steps = 1 + dice.below(3); steps > 0; steps--)
      child = pick(dice, genome.parts ? changesOfParts : changes)(child, dice);
  return child;
};
