/** Why requests about schedules and messages are refused: in the sentences that clients know, where there are any. A part of the catalogue in rejections.ts. */
import { type RejectionEntry, refused, rejected } from './rejection-entry.ts';

export const messageRejections = {
  NO_RECIPIENTS: refused(
    'No Recipients',
    'None of `external_user_ids`, `user_aliases`, `segment_id` and `audience` names anybody.',
    'Name users, a `segment_id` or an `audience`.',
  ),
  NO_MESSAGE: refused(
    'No message to send',
    '`messages` is missing or empty.',
    'Send at least one message, under the name of its channel.',
  ),
  MESSAGE_VARIANT_UNSPECIFIED: refused(
    'Message Variant Unspecified',
    'A `campaign_id` is sent, and a message has no `message_variation_id`; `faults` names it.',
    'Name the variation of each message, or leave the campaign out.',
  ),
  SCHEDULE_RECIPIENTS_INVALID: refused(
    'Name recipients or set broadcast to true, not both',
    '`broadcast` is true and users are listed, or it is not true and no users are listed. The message says which of the two.',
    'Without users send `broadcast: true`, with users leave it out.',
  ),
  SCHEDULE_TIME_INVALID: refused(
    'Bad Request',
    '`schedule.time` is not a time, has a zone although people get the message in their own time, lies in the past, or is more than 20 years away. `faults` says which.',
    'Send a time in the future, such as 2026-12-31T09:00:00Z; without a zone for local or optimal times.',
  ),
  MESSAGES_INVALID: refused(
    'The messages cannot be sent',
    'A channel or a member of a message is not available, or does not go with the others. The message names the place. `Apple Push Length Exceeded`, `Android Push Length Exceeded` and `Invalid Extra Push Payload` (`extra` is no object) are told in these words; `faults` names the place.',
    'Correct the place that is named.',
  ),
  MESSAGES_TOO_LARGE: refused(
    'The messages are larger than 256 KB',
    'The messages of all channels together have more than 262,144 bytes as JSON.',
    'Move parts of them into content blocks.',
  ),
  MESSAGE_LIQUID_INVALID: refused(
    'A message contains malformed liquid',
    'The Liquid of a text cannot be parsed, or would be too much work. The message names the place.',
    'Correct the place that is named.',
  ),
  MESSAGE_BLOCK_UNKNOWN: refused(
    'A message includes a Content Block that does not exist',
    'A text includes a block that the workspace does not have, or that is a draft. The message names it.',
    'Create that block first, or make it active.',
  ),
  MESSAGE_CENTER_UNKNOWN: refused(
    'A message links to a Preference Center that does not exist',
    'A text links to a preference center that the workspace does not have, or that is a draft. The message names it, and those that the workspace has.',
    'Correct the name, or create that preference center first.',
  ),
  AUDIENCE_INVALID: refused(
    'The audience cannot be read',
    'Something in `audience` is wrong. The message begins with its place.',
    'Correct the place that is named.',
  ),
  SEGMENT_UNKNOWN: refused(
    'The segment is not one of the workspace',
    'The settings of the workspace have no segment with this `segment_id`.',
    'Use a segment that `roster segment list` shows.',
  ),
  SCHEDULE_UNKNOWN: refused(
    'Schedule ID is invalid for this workspace',
    'The workspace has no schedule with this id; one that is over is forgotten after 90 days.',
    'Use the `schedule_id` that came with its creation.',
  ),
  SCHEDULE_OVER: refused(
    'The schedule can no longer be changed',
    'It is being sent, which only `/messages/schedule/delete` can end; or it was sent, missed, cancelled or stopped, or has failed. The message says which.',
    'Create another schedule.',
  ),
  SCHEDULE_OVERTAKEN: rejected(409)(
    'The schedule was changed by a later request',
    'The request was delayed, and a request that was accepted after it has changed the schedule since.',
    'Read the schedule, and send the change again if it is still wanted.',
  ),
  SCHEDULES_FULL: refused(
    'The workspace has as many schedules waiting as it may have',
    '20,000 schedules of a workspace may wait, and 256 MB of them.',
    'Send to an audience instead of person by person, or delete schedules.',
  ),
  ACTIVITY_INVALID: refused(
    'The request about the live activity cannot be used',
    'The app is not one of the workspace, a registration has not exactly one of `push_token` and `channel_id`, a date is not a time, or the update is larger than 4,096 bytes. The message says which.',
    'Correct what the message names.',
  ),
  ACTIVITIES_FULL: refused(
    'The workspace has as many live activities as it may have',
    '20,000 live activities of a workspace may be registered at the same time. They are forgotten after 24 hours.',
    'Let several people share an activity, or wait until earlier ones are forgotten.',
  ),
  ACTIVITY_UNKNOWN: refused(
    'There is no such live activity',
    'No device or channel is registered for it under this `app_id`, or the last sign of it is 24 hours ago.',
    'Register it, or correct `app_id` and `activity_id`.',
  ),
  END_TIME_INVALID: refused(
    'end_time is required and must be a time in ISO 8601',
    '`end_time` is missing or no time.',
    'Send a time such as 2026-12-31T00:00:00Z.',
  ),
  DISPATCH_UNKNOWN: refused(
    'Dispatch ID is invalid for this workspace',
    'Nothing is planned or was sent under this id in this workspace, or its end is more than 90 days ago.',
    'Use the `dispatch_id` that came with the creation of a schedule.',
  ),
  SENDS_CURSOR_INVALID: refused(
    'Invalid cursor',
    '`cursor` is not one that an answer has shown.',
    'Send it as it was, or leave it out for the first page.',
  ),
} as const satisfies Record<string, RejectionEntry>;
