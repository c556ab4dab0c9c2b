/** Statements of BigQuery are jobs: made, waited for, and read page by page. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BigQuery } from '@google-cloud/bigquery';
import { SourceError } from '../source-error.ts';
import type { Raw } from '../warehouse/rows.ts';
import type { Session } from '../warehouse/session.ts';
import type { WarehouseColumn } from '../warehouse/table.ts';
import type { WarehouseLimits } from '../warehouse/warehouse.ts';
import { tooSlow } from './errors.ts';
import { type ClientFor, createJobs } from './jobs.ts';

interface Field {
  readonly name?: string;
  readonly type?: string;
  readonly mode?: string;
  readonly collation?: string;
  readonly timestampPrecision?: string;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** What orders or tells apart in another way than usual has a kind of its own, which no table of the dialect has. */
const columnOf = ({ name = '', type = '', mode, collation, timestampPrecision }: Field): WarehouseColumn => {
  const kind =
    (mode === 'REPEATED' ? `ARRAY<${type}>` : type) +
    (collation ? ` COLLATE ${collation}` : '') +
    (timestampPrecision && timestampPrecision !== '6' ? `(${timestampPrecision})` : '');
  return { name, type: kind, kind };
};

/** `dataset.table`, or `project.dataset.table`. */
const addressOf = (parts: readonly string[]) => {
  const [table = '', dataset = '', projectId] = [...parts].reverse();
  return { uri: `/datasets/${dataset}/tables/${table}`, ...(projectId && { projectId }) };
};

const metadataOf = (client: BigQuery, parts: readonly string[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.request(addressOf(parts), (error, body) => (error ? reject(error) : resolve(body)));
  });

const fieldsOf = (metadata: unknown): readonly Field[] => {
  const fields = member(member(metadata, 'schema'), 'fields');
  return isList(fields) ? fields.filter((one) => typeof one === 'object' && one !== null) : [];
};

const cellsOf = (row: unknown): Raw => {
  const cells = member(row, 'f');
  return (isList(cells) ? cells : []).map((cell) => {
    const value = member(cell, 'v');
    return typeof value === 'string' ? value : null;
  });
};

const isGone = (error: unknown): boolean => error instanceof SourceError && error.code === 'table_missing';

/** BigQuery itself waits for some seconds before it says that a job is not complete. */
const [firstPauseMs, mostPauseMs] = [5, 1_000];

export const createSession = (clientFor: ClientFor, limits: Pick<WarehouseLimits, 'answerRows'>): Session => {
  const jobs = createJobs(clientFor);

  return {
    /** Not by a statement: those about a partitioned table may need a filter. */
    async columns({ parts }, signal) {
      try {
        return fieldsOf(await metadataOf(clientFor(signal), parts)).map(columnOf);
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
    async *rows(statement, ms, signal) {
      const jobId = `roster_${randomUUID()}`;
      const until = performance.now() + ms;
      let pageToken: string | undefined;
      let isComplete = false;
      let pauseMs = firstPauseMs;
      try {
        const job = await jobs.begin(statement, jobId, ms, signal);
        do {
          const [rows, , answer] = await job.getQueryResults({
            maxResults: limits.answerRows,
            skipParsing: true,
            autoPaginate: false,
            ...(pageToken && { pageToken }),
          });
          isComplete = answer?.jobComplete !== false;
          if (isComplete) jobs.forget(jobId);
          if (rows.length > 0) yield rows.map(cellsOf);
          else if (performance.now() > until) throw tooSlow();
          if (!isComplete) await sleep(pauseMs, undefined, { signal });
          pauseMs = Math.min(2 * pauseMs, mostPauseMs);
          pageToken = answer?.pageToken ?? undefined;
        } while (!isComplete || pageToken);
      } finally {
        await jobs.end(jobId);
      }
    },
    close: jobs.endAll,
  };
};
