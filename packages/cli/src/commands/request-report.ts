/** The report about one request. */
import { outcomeReport, type RequestReport } from '@roster/contract';
import { stampOfRequestId } from '@roster/queue';
import { outcomeOf, type StoredOutcome } from '@roster/store';
import type { Io } from '../io.ts';
import { secretIfKnown } from '../local.ts';
import type { Servers } from '../servers.ts';
import { timeOfStamp } from '../shown.ts';

/** The same members as the answer of `GET /requests/{id}`, and the workspace. */
export interface Report extends Omit<ReturnType<typeof outcomeReport>, 'state'> {
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

export const storedReport = async (servers: Servers, id: string): Promise<Report | undefined> => {
  const found = await (await servers.store()).requests.findOne({ _id: id });
  return found ? reportOf(outcomeOf(found)) : undefined;
};

/** A valid id without an outcome is queued: the id itself holds its workspace and its time. */
export const queuedReport = async (servers: Servers, io: Io, id: string): Promise<Report | undefined> => {
  const secret = secretIfKnown(io);
  if (secret === undefined) return undefined;
  for (const { id: workspace } of await (await servers.store()).workspaces.list()) {
    const stamp = stampOfRequestId(secret, workspace, id);
    if (stamp === undefined) continue;
    return { workspace, request_id: id, state: 'queued', accepted_at: timeOfStamp(stamp) };
  }
  return undefined;
};
