import { clock, createProgressOf, number, type Progress, type Terminal } from '../import/progress.ts';
import type { Tally } from './tally.ts';

interface Shown {
  tally: Tally;
  /** Of the people, how many are written; not known when nobody could count them in time. */
  share: number | undefined;
}

export type ExportProgress = Progress<Shown>;

const wordsOf = ({ tally, share }: Shown, seconds: number, begunAt: number): string => {
  const done = share !== undefined && share > begunAt ? (share - begunAt) / (1 - begunAt) : 0;
  return [
    share !== undefined && `${Math.floor(100 * Math.min(share, 1))} %`,
    `${number(tally.people)} people`,
    `${number(tally.events + tally.purchases)} occurrences`,
    done > 0 && done < 1 && `eta ${clock((seconds * (1 - done)) / done)}`,
  ]
    .filter(Boolean)
    .join('  ');
};

export const createExportProgress = (terminal: Terminal): ExportProgress => {
  const began = terminal.now();
  /** How much was there already. */
  let from: number | undefined;
  const progress = createProgressOf(terminal, (shown: Shown) => ({
    words: wordsOf(shown, (terminal.now() - began) / 1000, from ?? 0),
    share: shown.share,
  }));
  return {
    ...progress,
    show(shown) {
      from ??= shown.share ?? 0;
      progress.show(shown);
    },
  };
};
