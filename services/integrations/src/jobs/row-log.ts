/**
 * What became of rows, written into a table of their source. Lines are written before the transaction that counts their rows: a process that
 * takes the job over may write them again, and the key of the table leaves them out. A log that can't be written stops no sync.
 */
import { settingsOf } from '@roster/integrations';
import type { LogLine, RowLog } from '@roster/sources';
import type { IntegrationDocument, Store } from '@roster/store';
import type { Collected } from './collector.ts';
import type { Saving } from './keep.ts';
import type { Lease } from './lease.ts';
import { nameOf } from './memory.ts';
import type { Settled } from './outcomes.ts';
import { reasonOf } from './reason.ts';

interface LogOptions {
  store: Pick<Store, 'syncs'>;
  lease: Pick<Lease, 'job' | 'mine'>;
  integration: IntegrationDocument;
  openLog(): Promise<RowLog | undefined>;
}

export const openJobLog = async ({ store, lease, integration, openLog }: LogOptions) => {
  const isAll = settingsOf(integration).log?.rows === 'all';
  let log: RowLog | undefined;

  /** Not tried again in this job: a server that does not answer would hold up each request. */
  const giveUp = async (error: unknown): Promise<void> => {
    log?.close();
    log = undefined;
    await store.syncs.jobs.updateOne(lease.mine, { $set: { log_error: reasonOf(error) } });
  };

  const write = async (lines: readonly LogLine[]): Promise<void> => {
    if (lines.length > 0) await log?.write(lines).catch(giveUp);
  };

  const lineOf = (key: string, isRemoval: boolean, reason?: string): LogLine => ({
    job: lease.job._id,
    key,
    operation: isRemoval ? 'removed' : integration.data,
    result: reason === undefined ? 'synced' : 'failed',
    reason: reason ?? '',
  });

  const linesOf = ({ chunk, bad }: Settled): LogLine[] => {
    const names: string[] = JSON.parse(chunk.names ?? '[]');
    const reasons = new Map(bad.map(({ place, reason }) => [place, reason]));
    return names.flatMap((name, place) => {
      const reason = reasons.get(place);
      return isAll || reason !== undefined ? [lineOf(name, chunk.removed === true, reason)] : [];
    });
  };

  const refusedIn = (collected: Collected, { refused }: Saving['judged']): LogLine[] => [
    ...collected.bad.map(({ reason, seen }) => lineOf(nameOf(seen), false, reason)),
    ...refused.map(({ place, reason }) =>
      lineOf(nameOf(collected.rows[place]?.seen), collected.removal !== undefined, reason),
    ),
  ];

  log = await openLog().catch(async (error) => {
    await giveUp(error);
    return undefined;
  });
  return {
    isOn: log !== undefined,
    /** Rows that come into no request. */
    refused: ({ collected, judged }: Pick<Saving, 'collected' | 'judged'>): Promise<void> =>
      write(refusedIn(collected, judged)),
    settled: (settled: readonly Settled[]): Promise<void> => write(log ? settled.flatMap(linesOf) : []),
    close: (): void => log?.close(),
  };
};

export type JobLog = Awaited<ReturnType<typeof openJobLog>>;
