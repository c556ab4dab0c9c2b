/** Writes that Roster did not get, in a file that `roster send-unsent` sends. They hold data of people: only the owner reads it. */
import { appendFileSync, existsSync } from 'node:fs';
import { isRecord, parsedJson } from '../json.ts';
import { wrong } from '../result.ts';

export interface UnsentRequest {
  /** Its place in the order of the answers. */
  number: number;
  operation: string;
  params: string[];
  query: Record<string, string[]>;
  idempotency_key: string;
  json: string;
}

/** Read as a whole by the command that sends it. */
const bytesMax = 128 * 1024 * 1024;

export const createUnsent = (path: string) => {
  if (existsSync(path))
    throw wrong(
      `${path} has requests of an earlier comparison. Send them with "roster send-unsent", or name another file with --unsent.`,
    );
  const tally = { kept: 0, lost: 0 };
  let bytes = 0;
  const append = (line: string): void => {
    bytes += Buffer.byteLength(line);
    if (bytes > bytesMax) throw new Error('the file is full');
    appendFileSync(path, line, { mode: 0o600 });
  };
  return {
    path,
    tally: (): Readonly<typeof tally> => tally,
    keep(request: UnsentRequest): void {
      try {
        append(`${JSON.stringify(request)}\n`);
        tally.kept += 1;
      } catch {
        tally.lost += 1;
      }
    },
    lose(): void {
      tally.lost += 1;
    },
  };
};

export type Unsent = ReturnType<typeof createUnsent>;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isUnsent = (value: unknown): value is UnsentRequest & Record<string, never> =>
  isRecord(value) &&
  typeof value.number === 'number' &&
  ['operation', 'idempotency_key', 'json'].every((name) => typeof value[name] === 'string') &&
  isTexts(value.params) &&
  isRecord(value.query) &&
  Object.values(value.query).every(isTexts);

/** In their order. */
export const unsentIn = (text: string): UnsentRequest[] => {
  const requests = text
    .split('\n')
    .filter(Boolean)
    .map((line, index): UnsentRequest => {
      const request = parsedJson(line);
      if (!isUnsent(request)) throw new Error(`line ${index + 1} is no request that "roster compare" left`);
      return request;
    });
  return requests.sort((a, b) => a.number - b.number);
};
