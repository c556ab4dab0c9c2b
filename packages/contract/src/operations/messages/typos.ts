/** Members that are nearly one of the interface: what was meant would be left out, and nobody would notice. Others are ignored. */
import { typoIn } from '../../formats/typo.ts';
import type { BodyRule } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { isJsonObject } from '../../types.ts';
import { invalid } from './channel-faults.ts';
import { messageMembers } from './messages.ts';
import { recipientMembers } from './recipients.ts';
import { schedule } from './time.ts';

const bodyMembers = [...Object.keys(recipientMembers), 'schedule', 'schedule_id', 'messages'];
const scheduleMembers = Object.keys(schedule.properties);

/** Before the schema, which would only miss what is misspelt. */
export const refuseTypos: BodyRule = (body) => {
  const inBody = typoIn(body, bodyMembers);
  if (inBody) return new Rejection('BODY_INVALID', { message: inBody.join(' ') });
  const inSchedule = typoIn(body.schedule, scheduleMembers);
  if (inSchedule) return new Rejection('BODY_INVALID', { message: `schedule.${inSchedule.join(' ')}` });
  for (const [channel, message] of Object.entries(isJsonObject(body.messages) ? body.messages : {})) {
    const inMessage = typoIn(message, messageMembers(channel));
    if (inMessage) return invalid(`messages.${channel}.${inMessage[0]}`, inMessage[1]);
  }
  return undefined;
};
