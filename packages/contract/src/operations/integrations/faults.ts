/** What of the settings of an integration does not go together. */
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { isJsonObject } from '../../types.ts';

type Check = (body: JsonObject) => string | undefined;

const oneOfBoth: Check = ({ payload, columns }) =>
  payload !== undefined && columns !== undefined ? 'payload and columns exclude each other' : undefined;

const labelled: Check = ({ identifier }) => {
  if (!isJsonObject(identifier)) return undefined;
  const labels = ['label', 'label_column'].filter((name) => identifier[name] !== undefined).length;
  if (identifier.by === 'user_alias')
    return labels === 1 ? undefined : 'identifier needs either label or label_column for an alias';
  return labels === 0 ? undefined : 'identifier.label and identifier.label_column are for an alias';
};

const timed: Check = ({ schedule }) => {
  if (!isJsonObject(schedule)) return undefined;
  const { every, at, weekday, day } = schedule;
  if (at !== undefined && !['day', 'week', 'month'].includes(String(every)))
    return 'schedule.at goes with day, week and month';
  if (weekday !== undefined && every !== 'week') return 'schedule.weekday goes with week';
  return day !== undefined && every !== 'month' ? 'schedule.day goes with month' : undefined;
};

const checks: readonly Check[] = [oneOfBoth, labelled, timed];

export const refuseSettings: BodyRule = (body) => {
  for (const check of checks) {
    const message = check(body);
    if (message !== undefined) return new Rejection('INTEGRATION_INVALID', { message });
  }
  return undefined;
};
