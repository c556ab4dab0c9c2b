/** Times in every format of the interface, to milliseconds since the epoch. No zone is UTC, a date alone is its midnight. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const LAST_YEAR = 3000;
const LONGEST = 64;

const DASH = 45;
const COLON = 58;
const SPACE = 32;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isBeyond24 = /^.{11}24:00:00[.,:]0*[1-9]/;
const american = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;
const basic = /^(\d{4})(\d{2})(\d{2})[Tt](\d{2})(\d{2})(\d{2})?(\.\d{1,9})?(.*)$/;
const spoken =
  /^[A-Za-z]{3},? ([A-Za-z]{3}|\d{1,2}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2})[. ] ?([A-Za-z]{1,3}|[+-]\d{2}:?\d{2}) (\d{4})$/;

/** `undefined` when the text is no time: not in a known format, a day that does not exist, a year outside 0 to 3000. */
export function parseTime(text: string): number | undefined {
  const length = text.length;
  if (length < 8 || length > LONGEST) return undefined;
  if (text.charCodeAt(4) === DASH && text.charCodeAt(7) === DASH) return parseIso(text, length);
  // Any text of an attribute may come by here: most have neither beginning.
  if (digitAt(text, 0) >= 0) return parseAmerican(text) ?? parseBasic(text);
  return isSpaceOrComma(text.charCodeAt(3)) ? parseSpoken(text) : undefined;
}

function isSpaceOrComma(code: number): boolean {
  return code === SPACE || code === 44;
}

function isSeparator(code: number): boolean {
  return code === 84 || code === SPACE || code === 116;
}

/** The common form, read digit by digit: it is on the hot path of every event. */
function parseIso(text: string, length: number): number | undefined {
  const day = dayNumber(digits4(text, 0), digits2(text, 5), digits2(text, 8));
  if (day === undefined || length === 10) return day;
  if (!isSeparator(text.charCodeAt(10))) return undefined;
  if (length < 16 || text.charCodeAt(13) !== COLON) return undefined;
  const hasSeconds = text.charCodeAt(16) === COLON;
  const time = timeOfDay(digits2(text, 11), digits2(text, 14), hasSeconds ? digits2(text, 17) : 0);
  if (time === undefined || (time === DAY && isBeyond24.test(text))) return undefined;
  return hasSeconds ? withRest(text, 19, length, day + time) : withZone(text, 16, length, day + time);
}

/** From the fraction on: `.123`, `,123` or `:123`, of which milliseconds count. */
function withRest(text: string, from: number, length: number, ms: number): number | undefined {
  const mark = text.charCodeAt(from);
  if (mark !== 46 && mark !== 44 && mark !== COLON) return withZone(text, from, length, ms);
  let at = from + 1;
  let fraction = 0;
  for (let digit = digitAt(text, at); digit >= 0; digit = digitAt(text, at)) {
    if (at - from <= 3) fraction = fraction * 10 + digit;
    at += 1;
  }
  const count = at - from - 1;
  if (count === 0) return undefined;
  const scale = count === 1 ? 100 : count === 2 ? 10 : 1;
  return withZone(text, at, length, ms + fraction * scale);
}

function isZulu(code: number): boolean {
  return code === 90 || code === 122;
}

function withZone(text: string, from: number, length: number, ms: number): number | undefined {
  if (from === length) return ms;
  if (from === length - 1 && isZulu(text.charCodeAt(from))) return ms;
  const offset = zoneOffset(text.charCodeAt(from) === SPACE ? text.slice(from + 1) : text.slice(from));
  return offset === undefined ? undefined : ms - offset;
}

/** `Z`, `UTC`, `GMT`, `+02`, `+0200`, `+02:00`, in milliseconds east of Greenwich. */
function zoneOffset(zone: string): number | undefined {
  const sign = zone.charCodeAt(0);
  if (sign !== 43 && sign !== DASH) return /^(?:z|utc|gmt)$/i.test(zone) ? 0 : undefined;
  const hours = digits2(zone, 1);
  const minutesAt = zone.charCodeAt(3) === COLON ? 4 : 3;
  const minutes = zone.length === 3 ? 0 : digits2(zone, minutesAt);
  if (zone.length !== 3 && zone.length !== minutesAt + 2) return undefined;
  if (!(hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60)) return undefined;
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

/** `MM/dd/yyyy`, also `12/1/2021` and `12-1-2021`. */
function parseAmerican(text: string): number | undefined {
  const found = american.exec(text);
  return found ? dayNumber(Number(found[4]), Number(found[1]), Number(found[3])) : undefined;
}

/** `ddd MM dd HH:mm:ss.TZD YYYY`, the month as a number or a name. */
function parseSpoken(text: string): number | undefined {
  const found = spoken.exec(text);
  if (!found) return undefined;
  const [, name = '', day, hour, minute, second, zone = '', year] = found;
  const month = /^\d/.test(name) ? Number(name) : monthNames.indexOf(name.toLowerCase()) + 1;
  const date = dayNumber(Number(year), month, Number(day));
  const time = timeOfDay(Number(hour), Number(minute), Number(second));
  if (date === undefined || time === undefined) return undefined;
  return withZone(zone, 0, zone.length, date + time);
}

/** ISO 8601 without separators: `20260131T120000Z`. Only with a time: eight digits alone are more often an id. */
function parseBasic(text: string): number | undefined {
  const found = basic.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = found;
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}${fraction}${zone}`;
  return parseIso(time, time.length);
}

/** Midnight UTC of a day of the Gregorian calendar, in milliseconds; `undefined` when there is no such day. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  if (!(year >= 0 && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1)) return undefined;
  if (day > daysIn(year, month)) return undefined;
  // Days from civil, with years that begin in March: no Date, which reads year 99 as 1999.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * 146_097 + dayOfEra - 719_468) * DAY;
}

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return leap ? 29 : (daysOfMonth[month - 1] ?? 0);
}

function timeOfDay(hour: number, minute: number, second: number): number | undefined {
  if (!(hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60))
    return endOf(hour, minute, second);
  return (hour * 60 + minute) * MINUTE + second * 1000;
}

/** 24:00:00 is the end of the day. A leap second ends a quarter of an hour in every zone, and is taken for the next second. */
function endOf(hour: number, minute: number, second: number): number | undefined {
  if (hour === 24 && minute === 0 && second === 0) return DAY;
  if (second !== 60 || minute % 15 !== 14 || hour < 0 || hour > 23) return undefined;
  return (hour * 60 + minute + 1) * MINUTE;
}

/** -1 when there is no digit. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

/** Negative when one of them is no digit. */
function digits2(text: string, at: number): number {
  const tens = digitAt(text, at);
  const ones = digitAt(text, at + 1);
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones;
}

function digits4(text: string, at: number): number {
  const high = digits2(text, at);
  const low = digits2(text, at + 2);
  return high < 0 || low < 0 ? -1 : high * 100 + low;
}

const leadingYear = /^[+-]?\d{4,6}(?=-\d\d-)/;
const closingYear = /(?<=[-/ ])-?\d{4,6}$/;

/** Whether a text is a time in every respect but its year, which lies outside 0 to 3000. */
export function isTimeOutOfRange(text: string): boolean {
  if (text.length > LONGEST || parseTime(text) !== undefined) return false;
  return [leadingYear, closingYear].some((year) => {
    const within = text.replace(year, '2000');
    return within !== text && parseTime(within) !== undefined;
  });
}

const date = /^\d{4}-\d{2}-\d{2}$/;

/** `YYYY-MM-DD`, a day that exists. */
export function isDate(text: string): boolean {
  return date.test(text) && parseTime(text) !== undefined;
}

/** The same moment as `2026-01-31T12:00:00.000Z`; `undefined` when the text is not a time, or its zone takes it out of the years 0 to 3000. */
export function isoTime(text: string): string | undefined {
  const time = parseTime(text);
  if (time === undefined) return undefined;
  const iso = new Date(time).toISOString();
  return iso.length === 24 && iso < '3001' ? iso : undefined;
}
