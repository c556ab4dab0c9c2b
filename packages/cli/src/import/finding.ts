/** The result of an import. */
import type { Position, Totals } from './totals.ts';

export type Ending = 'complete' | 'interrupted' | 'was complete';

export interface Finding {
  file: string;
  ending: Ending;
  position: Position;
  totals: Totals;
  refusedFile: string;
  seconds: number;
  /** With `--wait`: whether every request has been applied; `unknown` when the key may not ask. */
  applied?: boolean | 'unknown';
  /** The command that continues from here; standard input has none. */
  goOn?: string | undefined;
}
