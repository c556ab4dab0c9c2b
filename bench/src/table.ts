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

/** The figures as a table for people: text to the left, numbers to the right, details below their line. */
export const table = (figures: Judged[]): string => {
  const rows = [['work', 'min', 'median', 'max', 'unit', 'bar', ''], ...figures.map(cells)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number) => column >= 1 && column <= 3;
  const line = (row: string[]) =>
    row
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return rows
    .flatMap((row, i) => {
      const more = i === 0 ? '' : details(figures[i - 1] as Judged);
      return more ? [line(row), `    ${more}`] : [line(row)];
    })
    .join('\n');
};
