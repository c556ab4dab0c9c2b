import { barOf, clock, type Terminal } from '../import/progress.ts';

import type { Tally } from './tally.ts';

export interface ExportProgress {
  show(tally: Tally, share: number | undefined): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

const everyMs = { bar: 100, line: 10_000 };
const barWidth = 24;
const clear = '\r\u001b[K';

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `share`: of the people, how many are written; not known when nobody could count them in time. */
const wordsOf = (tally: Tally, share: number | undefined, seconds: number, begunAt: number): string => {
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

export const createExportProgress = ({ write, isTty, columns, now }: Terminal): ExportProgress => {
  const began = now();
  let shownAt = isTty ? 0 : began;
  let begunAt: number | undefined;
  return {
    show(tally, share) {
      begunAt ??= share ?? 0;
      if (now() - shownAt < (isTty ? everyMs.bar : everyMs.line)) return;
      shownAt = now();
      const words = wordsOf(tally, share, (now() - began) / 1000, begunAt);
      const bar = share === undefined ? '' : `${barOf(share, barWidth)} `;
      write(isTty ? `${clear}${`${bar}${words}`.slice(0, Math.max(20, columns - 1))}` : `${words}\n`);
    },
    note: (text) => write(isTty ? `${clear}${text}\n` : `${text}\n`),
    end() {
      if (isTty) write(clear);
    },
  };
};
