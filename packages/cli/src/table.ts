/** Columns for people. */
export const table = (head: string[], rows: string[][]): string => {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => `${padded(line).join('  ').trimEnd()}\n`).join('');
};
