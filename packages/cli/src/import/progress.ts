/** A bar on a terminal, a line now and then elsewhere. */
import type { Totals } from './totals.ts';

export interface Moment {
  totals: Pick<Totals, 'rows' | 'refused'>;
  /** Bytes before which everything is answered, and how many there are; not known of standard input. */
  bytes: number;
  size?: number | undefined;
  /** Since this run began. */
  elapsedMs: number;
  begunWith: { rows: number; bytes: number };
}

/** `12,000` */
export const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `0:07`, `12:30`, `3:05:00` */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
};

export const wordsOf = ({ totals, bytes, size, elapsedMs, begunWith }: Moment): string => {
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const bytesPerSecond = (bytes - begunWith.bytes) / seconds;
  const left = size !== undefined && bytesPerSecond > 0 ? (size - bytes) / bytesPerSecond : undefined;
  return [
    size !== undefined && `${Math.floor((100 * bytes) / Math.max(size, 1))} %`,
    `${number(totals.rows)} rows`,
    `${number((totals.rows - begunWith.rows) / seconds)} rows/s`,
    totals.refused > 0 && `${number(totals.refused)} refused`,
    left !== undefined && left > 0 && `eta ${clock(left)}`,
  ]
    .filter(Boolean)
    .join('  ');
};

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

export interface Progress<Shown> {
  show(shown: Shown): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

const everyMs = { bar: 100, line: 10_000 };
const barWidth = 24;
const clear = '\r\u001b[K';

/** `share`: how much is done, where that is known. */
export const createProgressOf = <Shown>(
  { write, isTty, columns, now }: Terminal,
  inWords: (shown: Shown) => { words: string; share: number | undefined },
): Progress<Shown> => {
  let shownAt = isTty ? 0 : now();
  return {
    show(shown) {
      if (now() - shownAt < (isTty ? everyMs.bar : everyMs.line)) return;
      shownAt = now();
      const { words, share } = inWords(shown);
      const bar = share === undefined ? '' : `${barOf(share, barWidth)} `;
      write(isTty ? `${clear}${`${bar}${words}`.slice(0, Math.max(20, columns - 1))}` : `${words}\n`);
    },
    note: (text) => write(isTty ? `${clear}${text}\n` : `${text}\n`),
    end() {
      if (isTty) write(clear);
    },
  };
};

export const createProgress = (terminal: Terminal): Progress<Moment> =>
  createProgressOf(terminal, (moment: Moment) => {
    const { bytes, size } = moment;
    return { words: wordsOf(moment), share: size === undefined ? undefined : bytes / Math.max(size, 1) };
  });
