/** How values are shown to people. */
import { stringifyExact } from '@roster/contract';

/** Columns. */
export const table = (head: string[], rows: string[][]): string => {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => `${padded(line).join('  ').trimEnd()}\n`).join('');
};

/** A title above indented lines; nothing without lines. */
export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];

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
