import type { ScheduleDocument, Store } from '@roster/store';
import { missing } from './result.ts';

/** By its own id, or by that under which it is sent; also one that ended before anything was sent. */
export const scheduleNamed = async (
  { messages }: Pick<Store, 'messages'>,
  ws: string,
  id: string,
): Promise<ScheduleDocument> => {
  const found =
    (await messages.schedules.findOne({ _id: id, ws })) ??
    (await messages.schedules.findOne({ dispatch: id, ws }));
  if (!found)
    throw missing(
      `nothing is planned or sent as ${id}. "roster sends list" shows what is sent, "roster sends planned" what waits.`,
    );
  return found;
};
