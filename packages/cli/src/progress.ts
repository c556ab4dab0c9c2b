/** A bar on a terminal, a line now and then elsewhere. */
import { clock } from './shown.ts';

export const barOf = (share: number, width: number): string => {
  const full = Math.round(Math.min(Math.max(share, 0), 1) * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
};

export interface Terminal {
  write(text: string): void;
  isTty: boolean;
  columns: number;
  now(): number;
}

export interface Progress {
  /** `share`: the finished part, where it is known. `words`: the counts after so many seconds. */
  show(share: number | undefined, words: (seconds: number) => readonly string[]): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

const everyMs = { bar: 100, line: 10_000 };
const barWidth = 24;
const clear = '\r\u001b[K';

/** The remaining time is counted from the first share: an import or export may continue from there. */
export const createProgress = ({ write, isTty, columns, now }: Terminal): Progress => {
  const began = now();
  let shownAt = isTty ? 0 : began;
  let from: number | undefined;

  const line = (share: number | undefined, words: (seconds: number) => readonly string[]): string => {
    const seconds = Math.max(now() - began, 1) / 1000;
    if (share === undefined) return words(seconds).join('  ');
    const left = share > (from ?? 0) ? (seconds * (1 - share)) / (share - (from ?? 0)) : 0;
    return [
      `${Math.floor(100 * Math.min(share, 1))} %`,
      ...words(seconds),
      ...(left > 0 ? [`eta ${clock(left)}`] : []),
    ].join('  ');
  };

  return {
    show(share, words) {
      from ??= share ?? 0;
      if (now() - shownAt < (isTty ? everyMs.bar : everyMs.line)) return;
      shownAt = now();
      const bar = share === undefined ? '' : `${barOf(share, barWidth)} `;
      const text = line(share, words);
      write(isTty ? `${clear}${`${bar}${text}`.slice(0, Math.max(20, columns - 1))}` : `${text}\n`);
    },
    note: (text) => write(isTty ? `${clear}${text}\n` : `${text}\n`),
    end() {
      if (isTty) write(clear);
    },
  };
};
