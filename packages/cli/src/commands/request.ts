import { outcomeReport, type RequestReport } from '@roster/contract';
import { stampOfRequestId } from '@roster/queue';
import { outcomeOf, type StoredOutcome } from '@roster/store';
import type { Family, Tools } from '../command.ts';
import type { Io } from '../io.ts';
import { secretsIfKnown } from '../local.ts';
import { missing, type Result } from '../result.ts';
import type { Servers } from '../servers.ts';
import { linesOf, timeOfStamp } from '../shown.ts';

/** The same members as the answer of `GET /requests/{id}`, and the workspace. */
interface Report extends Omit<ReturnType<typeof outcomeReport>, 'state'> {
  workspace: string;
  request_id: string;
  operation?: string;
  state: RequestReport['state'];
  accepted_at: string;
  applied_at?: string;
}

const reportOf = (outcome: StoredOutcome): Report => ({
  workspace: outcome.ws,
  request_id: outcome.id,
  operation: outcome.op,
  accepted_at: timeOfStamp(outcome.at),
  ...(outcome.state === 'applied' && { applied_at: outcome.applied.toISOString() }),
  ...outcomeReport(outcome),
});

const storedReport = async (servers: Servers, id: string): Promise<Report | undefined> => {
  const found = await (await servers.store()).requests.findOne({ _id: id });
  return found ? reportOf(outcomeOf(found)) : undefined;
};

/** A valid id without an outcome is queued: the id itself holds its workspace and its time. */
const queuedReport = async (servers: Servers, io: Io, id: string): Promise<Report | undefined> => {
  const secret = secretsIfKnown(io);
  if (secret === undefined) return undefined;
  for (const { id: workspace } of await (await servers.store()).workspaces.list()) {
    const stamp = stampOfRequestId(secret, workspace, id);
    if (stamp === undefined) continue;
    return { workspace, request_id: id, state: 'queued', accepted_at: timeOfStamp(stamp) };
  }
  return undefined;
};

/** `events: 49 updated, 1 ignored (no_such_user)` */
const entriesLine = ([array, entries]: [string, readonly { result: string; reason?: string }[]]): string => {
  const counts = new Map<string, number>();
  for (const { result, reason } of entries) {
    const label = reason === undefined ? result : `${result} (${reason})`;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return `${array}: ${[...counts].map(([label, count]) => `${count} ${label}`).join(', ')}`;
};

const inWords = (report: Report): string => {
  const { operation, state, applied_at, reason, entries = {}, notes = [] } = report;
  return linesOf([
    `request ${report.request_id}: ${state}`,
    `workspace: ${report.workspace}`,
    operation && `operation: ${operation}`,
    `accepted: ${report.accepted_at}`,
    applied_at && `applied: ${applied_at}`,
    reason && `reason: ${reason}`,
    ...Object.entries(entries).map(entriesLine),
    ...notes.map(
      ({ input_array, index, field, reason: why }) =>
        `${input_array}[${index}]${field ? `.${field}` : ''}: ${why}`,
    ),
  ]);
};

const hints: Record<Report['state'], string[]> = {
  queued: ['It has no outcome yet. If it was accepted long ago, its outcome may have expired.'],
  applied: [],
  failed: ['"roster dead show" shows the request, "roster dead retry" tries it again.'],
};

const showRequest = async ({ servers, io }: Tools, id: string): Promise<Result> => {
  const report = (await storedReport(servers, id)) ?? (await queuedReport(servers, io, id));
  if (!report)
    throw missing(
      `nothing is known of a request ${id}: it was not accepted here, waits in a queue, or its outcome has expired.`,
    );
  return { json: report, text: inWords(report), notes: hints[report.state] };
};

const help = `
The id is the X-Request-Id of an answer. Results are shown entry by entry with --json, counted without it.

Examples:
  $ roster request show r1k2j3h4g5-a1b2c3d4
  $ roster request show r1k2j3h4g5-a1b2c3d4 --json`;

export const requestCommands: Family = {
  about: 'accepted requests and their outcomes',
  example: 'roster request show r1k2j3h4g5-a1b2c3',
  commands: {
    show: {
      about: 'what became of a request',
      args: { '<id>': 'the id of the request (X-Request-Id)' },
      help,
      run: showRequest,
    },
  },
};
