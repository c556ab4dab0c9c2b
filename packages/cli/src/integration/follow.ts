/** Shows how far a job is, until it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncJobDocument } from '@roster/store';
import type { WorkspaceTools } from '../command.ts';
import { withProgress } from '../person.ts';
import { exitCodes, failed, type Result } from '../result.ts';
import { clock, number } from '../shown.ts';

const lookEveryMs = 250;

const countsOf = ({ synced, failed: bad }: SyncJobDocument): string =>
  `${number(synced)} ${synced === 1 ? 'row' : 'rows'} synced, ${number(bad)} failed`;

/** `1,200 of about 50,000 rows, eta 2:10`: the remaining time at the rate of before. */
export const progressOf = ({ synced, failed: bad, expected, began }: SyncJobDocument, now: Date): string => {
  const rows = synced + bad;
  if (!expected) return `${number(rows)} rows`;
  const seconds = (now.getTime() - began.getTime()) / 1000;
  const left = rows > 0 && rows < expected ? `, eta ${clock((seconds * (expected - rows)) / rows)}` : '';
  return `${number(rows)} of about ${number(expected)} rows${left}`;
};

/** Rows that no sync reads, in words. */
export const missedLines = ({
  timeless = 0,
  uncounted,
  late = 0,
}: {
  timeless?: number | undefined;
  uncounted?: true | undefined;
  late?: number | undefined;
}): string[] => [
  ...(uncounted
    ? ['!! rows without a time of the last change could not be counted: no sync reads them']
    : []),
  ...(timeless > 0
    ? [`!! ${number(timeless)} rows have no time of the last change: no sync reads them`]
    : []),
  ...(late > 0
    ? [
        `!! ${number(late)} rows of files that came or changed since the sync before have times before the place from which it reads: those that are new are not read. Give them a later time, or set look_back_seconds higher`,
      ]
    : []),
];

const endOf = (job: SyncJobDocument): Result => {
  const { _id, state, synced, failed: bad, reason, log_error } = job;
  const why = reason === undefined ? '' : `: ${reason}`;
  return {
    json: { job: _id, state, synced, failed: bad, reason: reason ?? null, log_error: log_error ?? null },
    text: `${state}, ${countsOf(job)}${why}\n`,
    notes: [...missedLines(job), log_error !== undefined && `The log lacks rows of this job: ${log_error}`],
    exitCode: state === 'success' || state === 'partial' ? exitCodes.done : exitCodes.failed,
  };
};

export const followJob = ({ io, store }: WorkspaceTools, _id: string): Promise<Result> =>
  withProgress(io, async (progress) => {
    for (;;) {
      const job = await store.syncs.jobs.findOne({ _id });
      if (!job) throw failed(`job ${_id} is gone: its integration was deleted`);
      if (job.state !== 'running') return endOf(job);
      const { synced, failed: bad, expected, reason } = job;
      const share = expected ? (synced + bad) / expected : undefined;
      progress.show(share, () => [countsOf(job), ...(reason === undefined ? [] : [`it waits: ${reason}`])]);
      await sleep(lookEveryMs);
    }
  });
