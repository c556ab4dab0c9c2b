/** GET /messages/live_activity/{activity_id} */
import { type QueryFor, Rejection } from '@roster/contract';
import type { Read } from '../handler.ts';
import { timeOf } from '../stamp.ts';
import { contentIn } from './content.ts';
import { doneIn, keyOf, nameIn, shownDevice, type Update } from './results.ts';

const shownUpdate = ({ request, at, content }: Update) => ({
  request_id: request,
  accepted_at: timeOf(at),
  content_state: contentIn(content).content_state,
});

export const readActivity: Read = async ({ ws, params, query }, { store }) => {
  const { app_id } = query as QueryFor<'messages.live_activity.get'>;
  const activity_id = params?.activity_id ?? '';
  const found = await store.messages.activities.findOne({ _id: keyOf(ws, { app_id, activity_id }) });
  if (!found) throw new Rejection('ACTIVITY_UNKNOWN');
  const { update, ended = false, devices } = found;
  const done = new Map((update ? doneIn(update) : []).map((one) => [one.token, one]));
  return {
    activity_id,
    app_id,
    state: ended ? 'ended' : 'active',
    ...(update && { update: shownUpdate(update) }),
    devices: devices.map((one) => shownDevice(done.get(one.token) ?? { ...nameIn(one), state: 'waiting' })),
    message: 'success',
  };
};
