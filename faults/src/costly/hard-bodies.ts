// Bodies as large as they may be, whatever the operation.
import type { Operation } from '@roster/contract';
import type { Genome } from './genome.ts';
import { bytesOf, type Term } from './term.ts';

const sized = (bytes: number, one: Term): number => Math.floor(bytes / (bytesOf(one) + 8));

/** Bodies as large as they may be, in shapes that cost a JSON reader most. */
export const hardBodies = (limit: number): [title: string, body: Term][] => {
  const bytes = Math.floor(limit * 0.9);
  const one: Term = { raw: '1' };
  return [
    ['distinct names', { object: {}, more: [{ name: '{i}', value: one, count: sized(bytes, one) }] }],
    ['many numbers', { object: { unknown: { list: { raw: '1.5' }, count: Math.floor(bytes / 4) } } }],
    ['many objects', { object: { unknown: { list: { raw: '{}' }, count: Math.floor(bytes / 3) } } }],
    ['deep', { object: { unknown: { nest: one, in: 'list', depth: Math.floor(bytes / 2) } } }],
    [
      'one long text of escapes',
      { object: { unknown: { text: 'é', times: Math.floor(bytes / 6), escaped: true } } },
    ],
    [
      'past the limit',
      { object: { unknown: { text: 'x', times: Math.min(7_000_000, Math.floor(limit * 1.15)) } } },
    ],
  ];
};

/** Bodies that hold back their last bytes, many at once. */
export const manyAtOnce = ({ id, bodyLimit }: Operation): Genome => ({
  operation: id,
  title: 'large bodies',
  senders: 100,
  heldBack: true,
  body: { object: { unknown: { text: 'x', times: Math.floor(bodyLimit * 0.95) } } },
});
