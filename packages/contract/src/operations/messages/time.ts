/** When the messages of a schedule are sent. */
import type { Static } from '@sinclair/typebox';
import { parseTime } from '../../formats/time.ts';
import type { BodyRule } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { flag, objectOf, optional, text } from '../../shape.ts';
import { isJsonObject } from '../../types.ts';

export const schedule = objectOf('When the messages are sent.', {
  time: text('When, ISO 8601; with `in_local_time` or `at_optimal_time` without a zone.', {
    minLength: 8,
    maxLength: 64,
  }),
  ...optional({
    in_local_time: flag('Each person gets the message at this time of day in their own time zone.'),
    at_optimal_time: flag(
      'Each person gets the message on this day, at the hour in which they had most events in the last 30 days. People without events get it at the time of day in `time`.',
    ),
  }),
});

export type Schedule = Static<typeof schedule>;

/** Of a day that begins at 00:00 and ends before 24:00. */
const localTime = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.\d{1,3})?$/;

/** `2026-12-31T09:00:00`: a time without a zone, in one form. */
export const localTimeIn = (time: string): string | undefined => {
  const [, date, clock = ''] = localTime.exec(time) ?? [];
  if (date === undefined || parseTime(`${date}T${clock}Z`) === undefined) return undefined;
  return `${date}T${clock.length === 5 ? `${clock}:00` : clock}`;
};

const hour = 60 * 60 * 1000;

/** The first time zone to reach a time of day is 14 hours ahead, the last one 12 hours behind. */
const zones = { first: 14 * hour, last: 12 * hour };

interface Moments {
  /** In milliseconds: when the first people get it, and the last ones. */
  first: number;
  last: number;
}

/** What is wrong with it, without regard to what time it is. */
export const momentsOf = ({ time, in_local_time, at_optimal_time }: Schedule): Moments | string => {
  if (in_local_time && at_optimal_time) return 'in_local_time and at_optimal_time exclude each other';
  if (!in_local_time && !at_optimal_time) {
    const moment = parseTime(time);
    return moment === undefined
      ? 'schedule.time must be a time in ISO 8601'
      : { first: moment, last: moment };
  }
  const local = localTimeIn(time);
  const moment = local === undefined ? undefined : parseTime(`${local}Z`);
  if (local === undefined || moment === undefined)
    return 'schedule.time must be like 2026-12-31T09:00:00, without a zone, with in_local_time or at_optimal_time';
  if (in_local_time) return { first: moment - zones.first, last: moment + zones.last };
  const midnight = parseTime(`${local.slice(0, 10)}T00:00:00Z`) ?? moment;
  return { first: midnight - zones.first, last: midnight + 24 * hour + zones.last };
};

/** In the sentence that clients know; the fault says what is wrong. */
export const badTime = (reason: string): Rejection =>
  new Rejection('SCHEDULE_TIME_INVALID', { faults: [{ reason }] });

/** Before the schema, which has other words for a text that is too short; a time that is no text is its business. */
export const refuseTime: BodyRule = ({ schedule: sent }) => {
  if (!isJsonObject(sent) || typeof sent.time !== 'string') return undefined;
  const moments = momentsOf(sent as unknown as Schedule);
  return typeof moments === 'string' ? badTime(moments) : undefined;
};
