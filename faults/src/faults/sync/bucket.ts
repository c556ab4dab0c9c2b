/** A bucket of an S3 server: all people stand in a few large objects. Odd people never change; later rows of even ones come in new objects all the time. */
import { testBucket } from '@roster/testkit';
import { keepDoing } from '../../harness/wait.ts';
import type { Warehouse } from './warehouse.ts';

/** Few enough: of a third of a million people each object has more bytes than one request reads. */
const objects = 4;
/** Each sync reads every object again. */
const changeEveryMs = 500;
const changedAtOnce = 20;

const lineOf = (n: number, value: number, moment: number): string =>
  JSON.stringify({
    external_id: `b${n}`,
    updated_at: new Date(moment).toISOString(),
    payload: { value, applied: { inc: 1 } },
  });

const began = Date.parse('2026-01-01T00:00:00Z');

/** Every fourth person: so each object has rows of all moments, and they must be merged. Ten thousand rows share a moment. */
const peopleFrom = (first: number, rows: number): string => {
  const lines: string[] = [];
  for (let n = first; n <= rows; n += objects)
    lines.push(lineOf(n, 0, began + 1_000 * Math.floor(n / 10_000)));
  return lines.join('\n');
};

export const openBucket = async (rows: number): Promise<Warehouse> => {
  const bucket = await testBucket('exports');
  const put = (name: string, lines: string): Promise<void> => bucket.put(`people/${name}.ndjson`, lines);
  for (let first = 1; first <= objects; first += 1) await put(`all-${first}`, peopleFrom(first, rows));
  /** Of person 1, 2, ... */
  const values = new Array<number>(rows).fill(0);
  let changes = 0;
  const change = async (): Promise<void> => {
    const lines: string[] = [];
    const from = 2 * ((changes * 37) % (rows / 2));
    for (let n = from + 2; n <= Math.min(rows, from + 2 * changedAtOnce); n += 2) {
      const value = (values[n - 1] ?? 0) + 1;
      values[n - 1] = value;
      lines.push(lineOf(n, value, Date.now()));
    }
    changes += 1;
    await put(`changed-${changes}`, lines.join('\n'));
  };
  return {
    kind: 's3',
    connection: {
      endpoint: bucket.endpoint,
      bucket: 'exports',
      prefix: 'people/',
      format: 'ndjson',
      access_key: { env: 'ROSTER_CREDENTIAL_S3_KEY' },
      secret_key: { env: 'ROSTER_CREDENTIAL_S3_SECRET' },
    },
    env: { ROSTER_CREDENTIAL_S3_KEY: bucket.accessKey, ROSTER_CREDENTIAL_S3_SECRET: bucket.secretKey },
    removed: () => 0,
    keepChanging: () => keepDoing(change, changeEveryMs),
    values: async () => values.map((value, at) => [`b${at + 1}`, value] as const),
    close: () => bucket.close(),
  };
};
