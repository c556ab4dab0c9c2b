/** What the operations about live activities have in common. */
import { type Static, Type } from '@sinclair/typebox';
import { isLargerJson } from '../../formats/json-size.ts';
import { parseTime } from '../../formats/time.ts';
import type { BodyRule } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { anyObject, flag, label, maybe, objectOf, plain, text } from '../../shape.ts';
import type { Json } from '../../types.ts';
import { appleAlert } from '../messages/channels/apple-alert.ts';
import { messagesTag } from '../messages/schedules.ts';

export const activityRow = { tag: messagesTag, dialect: 'activity' } as const;

export const appOfActivity = label(
  'The app that shows the activity: one of the workspace, with `channels.ios_push`.',
);

export const activityId = label('The name of the activity, as the app registered it.');

export const attributesType = label('The type of the attributes, as the app names it.');

export const invalidActivity = (message: string): Rejection => new Rejection('ACTIVITY_INVALID', { message });

export const refuseApp: BodyRule = ({ app_id }, { apps }) =>
  typeof app_id === 'string' && !apps.has(app_id)
    ? invalidActivity('app_id must be an app of the workspace')
    : undefined;

export const activityTime = (description: string) => maybe(text(description, { maxLength: 64 }));

const push = objectOf('The push.', {
  alert: maybe(appleAlert),
  'content-available': maybe(flag('Sends it with priority 5 although it has an alert.')),
  relevance_score: maybe(
    Type.Number({
      minimum: 0,
      description: 'The relevance of the activity: it orders the activities of the app.',
    }),
  ),
});

/** As it stands, or in `ios_push`. */
export const activityPush = plain<Static<typeof push> & { ios_push?: Static<typeof push> }>({
  type: 'object',
  properties: { ...push.properties, ios_push: push },
  description: 'A push that goes with it: in `ios_push`, or as it stands here.',
});

export const contentState = anyObject('What the activity shows now, in the shape that the app has defined.');

export const staleDate = activityTime('From when on the content is marked as outdated, ISO 8601.');

/** What APNs takes in all. */
const mostBytes = 4096;

export const refuseDatesAndSize: BodyRule = (body) => {
  const wrong = (['dismissal_date', 'stale_date'] as const).find(
    (name) => body[name] !== undefined && parseTime(String(body[name])) === undefined,
  );
  if (wrong !== undefined) return invalidActivity(`${wrong} must be a time in ISO 8601`);
  return isLargerJson(body as Json, mostBytes)
    ? invalidActivity('the request must have at most 4,096 bytes as JSON')
    : undefined;
};
