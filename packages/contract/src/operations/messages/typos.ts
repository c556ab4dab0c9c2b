/** Members that are nearly one of the interface: what was meant would be left out, and nobody would notice. Others are ignored. */
import { nearest } from '../../formats/distance.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { invalid } from './channel-faults.ts';
import { messageMembers } from './messages.ts';
import { recipientMembers } from './recipients.ts';
import { schedule } from './time.ts';

/** Of a body with very many unknown members, the first ones are compared: short ones only. */
const most = { members: 50, length: 40 };

/** `subjct is not known: did you mean subject?` */
const typoIn = (
  sent: Json | JsonObject | undefined,
  members: readonly string[],
): [name: string, what: string] | undefined => {
  if (!isJsonObject(sent)) return undefined;
  const unknown = Object.keys(sent).filter((name) => !members.includes(name) && name.length <= most.length);
  for (const name of unknown.slice(0, most.members)) {
    const meant = nearest(
      name,
      members.filter((known) => !Object.hasOwn(sent, known)),
    );
    if (meant !== undefined) return [name, `is not known: did you mean ${meant}?`];
  }
  return undefined;
};

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
