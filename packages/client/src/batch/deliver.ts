/** A request of a batch until each of its entries has its outcome. What is refused as a whole is cut in halves: the culprit stands alone. */
import { InvalidRequestError } from '../errors.ts';
import { bodyOf } from './draft.ts';
import { type Entry, failed } from './entry.ts';
import { settleAccepted, settleAlone, settleRefused } from './outcomes.ts';

export type SendBody = (body: string) => Promise<object>;

export const deliver = async (entries: readonly Entry[], send: SendBody): Promise<void> => {
  try {
    settleAccepted(entries, await send(bodyOf(entries)));
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) return settleAll(entries, error);
    if (settleRefused(entries, error)) return;
    const [only] = entries;
    if (entries.length === 1 && only) return settleAlone(only, error);
    const half = Math.ceil(entries.length / 2);
    // One after the other: entries of one person stay in their order.
    await deliver(entries.slice(0, half), send);
    await deliver(entries.slice(half), send);
  }
};

const settleAll = (entries: readonly Entry[], error: unknown): void => {
  const outcome = failed(error);
  for (const entry of entries) entry.settle(outcome);
};
