/** POST /messages/live_activity/start: sent, counted and shown as a message that is due at once. */
import { type ActivityStart, present } from '@roster/contract';
import { toldIn } from '../content/unknown-names.ts';
import type { ContentChange } from '../handler.ts';
import { atOnce, storeSchedule } from '../schedules/changes.ts';
import { assertAudience, namedIn } from '../schedules/check.ts';
import { contentOfStart } from './content.ts';

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
    return { dispatch_id: dispatch, message: 'success', ...toldIn(named) };
  };
};
