import type { Compared } from './against.ts';
import type { Bar, Judged } from './figure.ts';

export const short = (value: number): string => {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
};

export const barText = (bar: Bar): string => {
  if (!bar) return '';
  return 'atMost' in bar ? `<= ${short(bar.atMost)}` : `>= ${short(bar.atLeast)}`;
};

const cells = ({ work, unit, bar, spread, verdict }: Judged): string[] => [
  work,
  short(spread.min),
  short(spread.median),
  short(spread.max),
  unit,
  barText(bar),
  verdict,
];

const details = ({ detail = {} }: Judged): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? short(value) : value}`)
    .join(', ');

/** Text to the left, numbers to the right; without what a line is followed by. */
const aligned = (rows: string[][], isNumber: (column: number) => boolean): string[] => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

/** The figures as a table for people: details below their line. */
export const table = (figures: Judged[]): string => {
  const rows = [['work', 'min', 'median', 'max', 'unit', 'bar', ''], ...figures.map(cells)];
  const lines = aligned(rows, (column) => column >= 1 && column <= 3);
  return lines
    .flatMap((line, i) => {
      const more = i === 0 ? '' : details(figures[i - 1] as Judged);
      return more ? [line, `    ${more}`] : [line];
    })
    .join('\n');
};

/** What two checkouts say of the same lines. */
export const comparedTable = (lines: Compared[]): string => {
  const rows = lines.map(({ work, here, there, unit, ratio, error }) => [
    work,
    short(there),
    short(here),
    unit,
    `x ${short(ratio)}`,
    `+- ${short(error)}`,
  ]);
  const titles = ['work', 'there', 'here', 'unit', 'ratio', 'error'];
  return aligned([titles, ...rows], (column) => column === 1 || column === 2).join('\n');
};
