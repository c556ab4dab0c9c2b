/** The lines of `roster erasures list`, as `roster erasures replay` reads them. */
import type { Erasure } from '@roster/queue';
import type { Io } from '../io.ts';
import { wrong } from '../result.ts';

/** `r` + stamp + `-` + check characters. */
const isRequestId = (id: string): boolean => /^r[0-9a-z]{8,12}-[0-9a-f]{8}$/.test(id);

export const lineOf = ({ id, ws, profiles }: Erasure): string =>
  `${JSON.stringify({ request_id: id, workspace: ws, service_ids: profiles })}\n`;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const erasureIn = (line: string): Erasure | undefined => {
  const { request_id, workspace, service_ids } = (parsed(line) ?? {}) as Record<string, unknown>;
  if (typeof request_id !== 'string' || !isRequestId(request_id)) return undefined;
  if (typeof workspace !== 'string' || !isTexts(service_ids)) return undefined;
  return { id: request_id, ws: workspace, profiles: service_ids };
};

/** A file that was cut off would leave people in the restored data, so nothing is replayed from one with a line that is no erasure. */
export const erasuresIn = ({ readText }: Io, file: string): Erasure[] => {
  const lines = readText(file).split('\n');
  if (lines.pop() !== '') throw wrong(`${file}: the last line is cut off`);
  return lines.map((line, index) => {
    const erasure = erasureIn(line);
    if (!erasure) throw wrong(`${file}: line ${index + 1} is not a line of "roster erasures list"`);
    return erasure;
  });
};
