import { number } from './shown.ts';

/** `begunWith`: the rows of an earlier run. */
export const rowWords =
  ({ rows, refused }: { rows: number; refused: number }, begunWith = 0) =>
  (seconds: number): string[] => [
    `${number(rows)} rows`,
    `${number((rows - begunWith) / seconds)} rows/s`,
    ...(refused > 0 ? [`${number(refused)} refused`] : []),
  ];
