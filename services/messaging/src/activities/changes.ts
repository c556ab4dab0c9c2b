/** A device registers a live activity, and the activity is updated. */
import { type ActivityRegistration, type ActivityUpdate, Rejection } from '@roster/contract';
import type { ActivityDocument, Session, Store } from '@roster/store';
import type { Change } from '../handler.ts';
import { contentOfUpdate } from './content.ts';
import { bodyOf, doneIn, tell, withOvertaken } from './results.ts';

/** Devices of an activity, and activities of a workspace. */
const most = { devices: 100, activities: 20_000 };

/** No activity lives longer than half of this. */
const keptMs = 24 * 60 * 60 * 1000;

const success = { message: 'success' };

/** App ids may hold any sign: the length says where this one ends. */
const keyOf = (ws: string, { app_id, activity_id }: { app_id: string; activity_id: string }): string =>
  `${ws}/${app_id.length}:${app_id}/${activity_id}`;

const assertRoom = async (
  { messages: { activities } }: Pick<Store, 'messages'>,
  session: Session,
  ws: string,
): Promise<void> => {
  const n = await activities.countDocuments({ ws }, { session, limit: most.activities });
  if (n >= most.activities) throw new Rejection('ACTIVITIES_FULL');
};

export const registerActivity: Change = async ({ ws, body }, { store }) => {
  const { push_token: token, ...named } = body as ActivityRegistration;
  const { activities } = store.messages;
  const _id = keyOf(ws, named);
  return async (session) => {
    const found = await activities.findOne({ _id }, { session });
    if (!found) await assertRoom(store, session, ws);
    const others = (found?.tokens ?? []).filter((one) => one !== token);
    const tokens = [...others, token].slice(-most.devices);
    const expires = new Date(Date.now() + keptMs);
    const $set = { ws, app: named.app_id, tokens, expires };
    await activities.updateOne({ _id }, { $set }, { upsert: true, session });
    return success;
  };
};

/** Whatever of the earlier update is not sent yet will not be sent. */
const endEarlier = async (
  store: Pick<Store, 'requests'>,
  session: Session,
  { update, due, tokens }: ActivityDocument,
): Promise<void> => {
  if (update && due) await tell(store, session, update.request, withOvertaken(doneIn(update), tokens));
};

export const updateActivity: Change = async ({ id, ws, at, body }, { store }) => {
  const sent = body as ActivityUpdate;
  const { activities } = store.messages;
  const _id = keyOf(ws, sent);
  const content = JSON.stringify(contentOfUpdate(sent, at));
  return async (session) => {
    const found = await activities.findOne({ _id }, { session });
    if (!found) return bodyOf([]);
    if (found.update && found.update.at > at) return bodyOf(withOvertaken([], found.tokens));
    await endEarlier(store, session, found);
    const now = new Date();
    await activities.updateOne(
      { _id },
      {
        $set: {
          update: { request: id, at, content, tries: 0, done: '[]' },
          due: now,
          expires: new Date(now.getTime() + keptMs),
        },
      },
      { session },
    );
    return success;
  };
};
