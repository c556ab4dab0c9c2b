/** A request of a batch until each of its entries has its outcome. */
import { about } from '../about.ts';
import { fieldIn } from '../error-of.ts';
import { type ErrorCode, InvalidRequestError, type RefusedEntry, RosterError } from '../errors.ts';
import { type Entry, failed, lists } from './entry.ts';
import { bodyOf } from './queue.ts';
import type { EntryOutcome, EntryResult } from './types.ts';

interface Reported {
  result: EntryResult;
  reason?: string;
}

/** What `users.track` and its siblings answer, in parts. */
interface TrackAnswer {
  errors?: RefusedEntry[];
  state?: string;
  reason?: string;
  entries?: { [list: string]: Reported[] | undefined };
}

const refusedOf = ({ type, code }: RefusedEntry, requestId: string | undefined): EntryOutcome => ({
  state: 'refused',
  requestId,
  code,
  field: fieldIn(type),
  message: type,
});

/** Each entry with its position in its list. */
const eachIn = (
  entries: readonly Entry[],
  visit: (entry: Entry, list: string, index: number) => void,
): void => {
  const next = lists.map(() => 0);
  for (const entry of entries) {
    const index = next[entry.rank] ?? 0;
    next[entry.rank] = index + 1;
    visit(entry, lists[entry.rank] ?? '', index);
  }
};

const refusals = (errors: readonly RefusedEntry[]): Map<string, RefusedEntry> =>
  new Map(errors.map((error) => [`${error.input_array} ${error.index}`, error]));

/** What the entries of an accepted request get that were not refused. */
const acceptedOutcome = (
  answer: TrackAnswer,
  requestId: string | undefined,
): ((list: string, index: number) => EntryOutcome) => {
  const accepted: EntryOutcome = { state: 'accepted', requestId };
  if (answer.state === 'failed') {
    const code = 'failed';
    const reason = `accepted, but not applied: ${answer.reason ?? 'a dead letter'}`;
    return () => failed(new RosterError(reason, { code, requestId }));
  }
  const reports = answer.state === 'applied' ? answer.entries : undefined;
  if (!reports) return () => accepted;
  return (list, index) => {
    const report = reports[list]?.[index];
    return report ? { state: 'applied', requestId, ...report } : accepted;
  };
};

const settleAccepted = (entries: readonly Entry[], answer: TrackAnswer): void => {
  const requestId = about(answer)?.requestId;
  const refused = refusals(answer.errors ?? []);
  const outcome = acceptedOutcome(answer, requestId);
  eachIn(entries, (entry, list, index) => {
    const error = refused.size > 0 ? refused.get(`${list} ${index}`) : undefined;
    entry.settle(error ? refusedOf(error, requestId) : outcome(list, index));
  });
};

/** False when the answer does not tell of each entry why it was refused. */
const settleRefused = (entries: readonly Entry[], { errors, requestId }: RosterError): boolean => {
  const refused = refusals(errors);
  if (refused.size < entries.length) return false;
  eachIn(entries, (entry, list, index) => {
    const error = refused.get(`${list} ${index}`);
    entry.settle(error ? refusedOf(error, requestId) : failed(undefined));
  });
  return true;
};

export type SendBody = (body: string) => Promise<object>;

type Refusal = InvalidRequestError & { code: ErrorCode };

/** A firewall refuses the halves as well. */
const isRefusedByRoster = (error: unknown): error is Refusal =>
  error instanceof InvalidRequestError && error.code !== undefined;

/** What Roster refuses as a whole is cut in halves: the culprit stands alone. */
export const deliver = async (entries: readonly Entry[], send: SendBody): Promise<void> => {
  try {
    settleAccepted(entries, await send(bodyOf(entries)));
  } catch (error) {
    if (!isRefusedByRoster(error)) {
      const outcome = failed(error);
      for (const entry of entries) entry.settle(outcome);
      return;
    }
    if (settleRefused(entries, error)) return;
    const [only] = entries;
    if (entries.length === 1 && only) {
      const { code, field, message, requestId } = error;
      return only.settle({ state: 'refused', requestId, code, field, message });
    }
    const half = Math.ceil(entries.length / 2);
    // One after the other: entries of one person stay in their order.
    await deliver(entries.slice(0, half), send);
    await deliver(entries.slice(half), send);
  }
};
