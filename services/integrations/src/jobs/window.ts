/** What is remembered of rows: as much as the next sync reads again, within bounds. */
import { isBefore, isBeyond, later, lookBackOf, markOf, readCursor, windowAfter } from '@roster/integrations';
import type { Cursor, Source } from '@roster/sources';
import type { IntegrationDocument, Store } from '@roster/store';
import type { Lease } from './lease.ts';
import { hashBytes, mostRemembered } from './memory.ts';

interface KeptWindow {
  _id: string;
  to: string;
  rows: number;
}

interface WindowPlaces {
  /** Of the integration, and of the job that runs. */
  before: Cursor | undefined;
  cursor: Cursor | undefined;
  floor: Cursor | undefined;
}

/** The next sync reads a window again. If more was applied in it than can be remembered, it goes on where this one ended. */
export const floorAfter = (
  { before, cursor, floor }: WindowPlaces,
  lookBack: (cursor: Cursor) => Cursor,
  isTooMuch: boolean,
): Cursor | undefined => {
  const reached = later(before, cursor);
  if (!reached) return floor;
  // While the window itself is read, what is remembered of it is needed.
  const isPast = cursor !== undefined && (before === undefined || !isBefore(cursor, before));
  return later(floor, isTooMuch && isPast ? reached : lookBack(reached));
};

const atOnce = 1_000;

export const forgetRows = async (
  { syncs: { chunks, integrations, jobs } }: Pick<Store, 'syncs'>,
  source: Pick<Source, 'lookBack'>,
  lease: Lease,
  integration: IntegrationDocument,
  most = mostRemembered,
): Promise<void> => {
  lease.assertHeld();
  const kept = await chunks
    .find<KeptWindow>(
      { integration: integration._id, state: 'done' },
      { projection: { to: 1, rows: { $divide: [{ $binarySize: '$hashes' }, hashBytes] } } },
    )
    .toArray();
  // After the list: so all that is listed lies before the place that the job has reached.
  const job = await jobs.findOne(lease.mine, { projection: { cursor: 1, now: 1, open: 1 } });
  const isMore = (chunks: readonly KeptWindow[]): boolean =>
    chunks.reduce((sum, { rows }) => sum + rows, 0) > most;
  const mark = markOf(job ?? {});
  const isTooMuch = isMore(kept);
  const isTooMuchAhead =
    isTooMuch && isMore(kept.filter(({ to }) => mark && !isBefore(readCursor(to) ?? mark, mark)));
  const places = {
    before: readCursor(integration.cursor),
    cursor: isTooMuchAhead ? readCursor(job?.cursor) : mark,
    floor: readCursor(integration.floor),
  };
  const now = windowAfter(job ?? {}, new Date());
  // Should this job end within the window of before, the next one reads it again.
  const window = isBeyond(places.before, places.cursor) ? now : Math.max(now, integration.window ?? 0);
  const seconds = lookBackOf({ ...integration, window });
  const floor = floorAfter(places, (cursor) => source.lookBack(cursor, seconds), isTooMuch);
  if (!floor) return;
  // The floor first: what lies before it is not read again, whatever is removed of it.
  const { matchedCount } = await integrations.updateOne(
    { _id: integration._id, job: lease.job._id },
    { $set: { floor: JSON.stringify(floor) } },
  );
  if (matchedCount === 0) return;
  const isAll = isTooMuch && floor.tie !== null;
  const old = kept.filter(({ to }) => isAll || isBefore(readCursor(to) ?? floor, floor));
  for (let from = 0; from < old.length; from += atOnce)
    await chunks.deleteMany({ _id: { $in: old.slice(from, from + atOnce).map(({ _id }) => _id) } });
};
