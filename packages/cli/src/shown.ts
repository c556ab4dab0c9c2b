/** How values are shown to people. */
import { stringifyExact } from '@roster/contract';

/** By their heads: what stands there of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

/** Members that stand there as they are: the head of `last_job` is LAST JOB. */
export const plain = <Name extends string>(...names: Name[]) => {
  type Having = { readonly [Member in Name]?: unknown };
  const column = (name: Name) =>
    [name.toUpperCase().replaceAll('_', ' '), (row: Having) => row[name]] as const;
  return Object.fromEntries(names.map(column)) satisfies Columns<Having>;
};

const shownCell = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '-');

export const table = <Row>(rows: readonly Row[], columns: Columns<Row>): string => {
  const heads = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((cell) => shownCell(cell(row))));
  const lines = [heads, ...cells];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => `${padded(line).join('  ').trimEnd()}\n`).join('');
};

/** A line, or nothing where there is nothing to say. */
export type MaybeLine = string | false | undefined;

/** Each line on its own; what is nothing is left out. */
export const linesOf = (lines: readonly MaybeLine[]): string =>
  lines.flatMap((line) => (line ? `${line}\n` : [])).join('');

/** A title above indented lines; nothing without lines. */
export const section = (title: string, lines: readonly MaybeLine[]): string[] => {
  const said = lines.filter(Boolean);
  return said.length > 0 ? [title, ...said.map((line) => `  ${line}`)] : [];
};

/** A member and its value, below it where it has several lines. */
export const member = (name: string, value: unknown): string => {
  const text = typeof value === 'string' ? value : stringifyExact(value, 2);
  return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
};

/** `12,000` */
export const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** `0:07`, `12:30`, `3:05:00` */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
};

/** A stamp counts microseconds. */
export const timeOfStamp = (stamp: number): string => new Date(stamp / 1000).toISOString();

/** As one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
