// Bodies as large as they may be, whatever the operation: in shapes that cost a JSON reader most, and many that hold back their last bytes.
import type { Operation } from '@roster/contract';
import type { Genome } from './genome.ts';
import { objectWith, type Term, text } from './term.ts';

export const hardBodies = ({ id, bodyLimit }: Operation): Genome[] => {
  const bytes = bodyLimit * 0.9;
  const one: Term = { raw: '1' };
  const unknown: Record<string, Term> = {
    'many numbers': { list: { raw: '1.5' }, count: Math.floor(bytes / 4) },
    'many objects': { list: { raw: '{}' }, count: Math.floor(bytes / 3) },
    deep: { nest: one, in: 'list', depth: Math.floor(bytes / 2) },
    'one long text of escapes': { text: 'é', times: Math.floor(bytes / 6), escaped: true },
    'past the limit': text('x', Math.min(7_000_000, Math.floor(bodyLimit * 1.15))),
  };
  const names = { object: {}, more: [{ name: '{i}', value: one, count: Math.floor(bytes / 9) }] };
  const large = objectWith({ unknown: text('x', Math.floor(bodyLimit * 0.95)) });
  return [
    { operation: id, title: 'distinct names', body: names },
    ...Object.entries(unknown).map(([title, term]) => ({
      operation: id,
      title,
      body: objectWith({ unknown: term }),
    })),
    { operation: id, title: 'large bodies', senders: 100, heldBack: true, body: large },
  ];
};
