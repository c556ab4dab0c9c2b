// One side of --against: measures a row as often as it is asked, on a system that it keeps.
import { openRun } from '@roster/local-stack';
import { answerParent } from './child.ts';
import type { Figure } from './figure.ts';
import { type Extent, openRows } from './open-rows.ts';
import { benchNamed } from './rows/index.ts';

/** What a side is asked, also by another version: a question keeps its meaning. */
export interface SideQuestion {
  row: string;
  extent: Extent;
}

openRun('bench');
let rows: ReturnType<typeof openRows> | undefined;

answerParent<SideQuestion, Figure[]>(async ({ row, extent }) => {
  const bench = benchNamed(row);
  rows ??= openRows(bench, extent);
  return (await rows).measure(bench);
});
