import { EventEmitter } from 'node:events';
import { bounds } from '../bounds.ts';
import { createWatch } from './watch.ts';

/** What was done to the socket when these rows came. */
const afterRows = (...rows: readonly (readonly string[])[]): string[] => {
  const done: string[] = [];
  const valve = { pause: () => done.push('pause'), resume: () => done.push('resume') };
  const query = new EventEmitter();
  createWatch(() => {}).rowsOf(valve, query, 'row');
  for (const row of rows) query.emit('row', row);
  return done;
};

const large = 'x'.repeat(bounds.aheadBytes);

it.each(['0', '-1', 'none', '1'])('a row is as large as it is, whatever its server says: %s', (told) => {
  expect(afterRows(['moment', 'tie', told, large])).toEqual(['pause']);
});

it('a row may be larger than what is sent of it', () => {
  expect(afterRows(['moment', 'tie', String(bounds.aheadBytes)])).toEqual(['pause']);
  expect(afterRows(['moment', 'tie', '1', 'x'])).toEqual([]);
});
