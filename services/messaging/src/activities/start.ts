/** POST /messages/live_activity/start: sent, counted and shown as a message that is due at once. */
import type { ActivityStart } from '@roster/contract';
import type { Change } from '../handler.ts';
import { atOnce, storeSchedule } from '../schedules/changes.ts';
import { assertAudience, namedIn } from '../schedules/check.ts';
import { contentOfStart } from './content.ts';

export const startActivity: Change = async (request, tools) => {
  const { store, liquid } = tools;
  const body = request.body as ActivityStart;
  const { external_user_ids, user_aliases, segment_id, custom_audience } = body;
  const recipients = {
    ...(external_user_ids && { external_user_ids }),
    ...(user_aliases && { user_aliases }),
    ...(segment_id !== undefined && { segment_id }),
    ...(custom_audience !== undefined && { audience: custom_audience }),
  };
  await assertAudience(tools, request.ws, recipients, 'custom_audience');
  const content = contentOfStart(body, request.at);
  const named = await namedIn(liquid, content);
  const messages = { live_activity: content };
  const plan = { recipients, messages, named, ...atOnce(request) };
  const storePlan = storeSchedule(request, plan, store);
  return async (session) => ({ dispatch_id: (await storePlan(session)).dispatch, message: 'success' });
};
