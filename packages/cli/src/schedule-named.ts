import { deliveriesOf, type ScheduleDocument, type Store } from '@roster/store';
import { missing } from './result.ts';

/** By its own id, or by that under which it was sent. */
export const scheduleNamed = async (
  { messages }: Pick<Store, 'messages'>,
  ws: string,
  id: string,
): Promise<ScheduleDocument> => {
  const delivery = await messages.deliveries.findOne({ ...deliveriesOf(id), ws });
  const found =
    (await messages.schedules.findOne({ _id: delivery?.schedule ?? id, ws })) ??
    // One that waits has no delivery yet.
    (await messages.schedules.findOne({ ws, dispatch: id, due: { $gt: new Date(0) } }));
  if (!found) throw missing(`nothing is planned or sent as ${id}. "roster sends list" shows dispatches.`);
  return found;
};
