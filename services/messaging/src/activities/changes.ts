/** A live activity is started, a device or broadcast channel is registered for it, and it is updated. */
import { Nothing } from '@roster/batch';
import { type ActivityStart, type BodyFor, present, Rejection, stringifyExact } from '@roster/contract';
import type { ActivityDocument, Session, Store } from '@roster/store';
import type { ContentChange } from '../handler.ts';
import { atOnce, storeSchedule } from '../schedules/changes.ts';
import { assertAudience, namedIn } from '../schedules/check.ts';
import { contentOfStart, contentOfUpdate } from './content.ts';
import {
  bodyOf,
  type Device,
  doneIn,
  keyOf,
  reasonBefore,
  superseded,
  tell,
  withSuperseded,
} from './results.ts';

/** Devices and broadcast channels of an activity, and activities of a workspace. */
const most = { devices: 100, channels: 10, activities: 20_000 };

/** No activity lives longer than half of this. */
const keptMs = 24 * 60 * 60 * 1000;

const success = { message: 'success' };

const expiry = (): Date => new Date(Date.now() + keptMs);

const assertRoom = async ({ messages: { activities } }: Store, session: Session, ws: string) => {
  const n = await activities.countDocuments({ ws }, { session, limit: most.activities });
  if (n >= most.activities) throw new Rejection('ACTIVITIES_FULL');
};

/** An end that is not sent everywhere yet goes on under a name of its own: the activity begins anew meanwhile. No id of an activity is like it. */
const endApart = async (store: Store, session: Session, { _id, ...found }: ActivityDocument) => {
  if (found.due && found.update)
    await store.messages.activities.insertOne(
      { ...found, _id: `ended ${found.update.request}` },
      { session },
    );
};

type Registration = BodyFor<'messages.live_activity.register'>;

const addressIn = ({ push_token = '', channel_id, channel_stores }: Registration): Omit<Device, 'since'> =>
  channel_id === undefined
    ? { token: push_token }
    : { token: channel_id, channel: channel_stores ? 'storing' : 'plain' };

/** However many devices register, a channel stays. */
const latestOf = (all: readonly Device[]): Device[] => {
  const devices = all.filter(({ channel }) => channel === undefined).slice(-most.devices);
  const channels = all.filter(({ channel }) => channel !== undefined).slice(-most.channels);
  const kept = new Set([...devices, ...channels]);
  return all.filter((one) => kept.has(one));
};

export const registerActivity: ContentChange = async ({ ws, body }, { store }) => {
  const sent = body as Registration;
  const { activities } = store.messages;
  const [_id, address] = [keyOf(ws, sent), addressIn(sent)];
  return async (session) => {
    const found = await activities.findOne({ _id }, { session });
    if (!found) await assertRoom(store, session, ws);
    // After its end it begins anew.
    if (found?.ended) await endApart(store, session, found);
    const before = found && !found.ended ? found.devices : [];
    const others = before.filter((one) => one.token !== address.token);
    const devices = latestOf([...others, { ...address, since: new Date() }]);
    await activities.updateOne(
      { _id },
      {
        $set: { ws, app: sent.app_id, devices, expires: expiry() },
        ...(found?.ended && { $unset: { ended: 1, update: 1, due: 1, busy: 1 } }),
      },
      { upsert: true, session },
    );
    return success;
  };
};

/** Whatever of the update before is not sent yet will not be sent. */
const endBefore = async (
  store: Store,
  session: Session,
  { update, due, devices }: ActivityDocument,
  next: { at: number; ended: boolean },
) => {
  if (!update || !due) return;
  const done = withSuperseded(doneIn(update), devices);
  await tell(store, session, update.request, done, reasonBefore(update, next));
};

export const updateActivity: ContentChange = async ({ id, ws, at, body }, { store }) => {
  const sent = body as BodyFor<'messages.live_activity.update'>;
  const { activities } = store.messages;
  const _id = keyOf(ws, sent);
  const isEnd = sent.end_activity === true;
  return async (session) => {
    const found = await activities.findOne({ _id }, { session });
    if (!found) return new Nothing('ignored:no_such_activity', success);
    const { update, ended, devices } = found;
    const last = update?.at ?? 0;
    // An end also wins over an update that was accepted after it and applied before it.
    if (last > at && (ended || !isEnd)) return new Nothing(superseded, bodyOf(withSuperseded([], devices)));
    if (ended) return new Nothing('ignored:ended', success);
    await endBefore(store, session, found, { at, ended: isEnd });
    // Devices leave out what is older than what they show.
    const content = stringifyExact(contentOfUpdate(sent, Math.max(at, last)));
    await activities.updateOne(
      { _id },
      {
        $set: {
          update: { request: id, at, content, tries: 0, done: '[]' },
          due: new Date(),
          expires: expiry(),
          ...(isEnd && { ended: true }),
        },
      },
      { session },
    );
    return success;
  };
};

/** POST /messages/live_activity/start: sent, counted and shown as a message that is due at once. */
export const startActivity: ContentChange = async (request, tools) => {
  const { store } = tools;
  const body = request.body as ActivityStart;
  const { external_user_ids, user_aliases, segment_id, custom_audience } = body;
  const recipients = present({ external_user_ids, user_aliases, segment_id, audience: custom_audience });
  await assertAudience(tools, request.ws, recipients, 'custom_audience');
  const content = contentOfStart(body, request.at);
  const named = await namedIn(tools, request.ws, content);
  const messages = { live_activity: content };
  const plan = { recipients, messages, named, ...atOnce(request) };
  const storePlan = storeSchedule(request, plan, store);
  return async (session) => {
    const { dispatch } = await storePlan(session);
    return { dispatch_id: dispatch, message: 'success', ...named.told };
  };
};
