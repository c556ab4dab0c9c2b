/** An exported user in the form that /users/track takes, without the members that no workspace takes. */
import { attributeMembers } from '@roster/contract';
import { isListName } from '@roster/profile';
import { isRecord, type JsonObject } from '../json.ts';
import { doesStayBehind } from './exported-user.ts';
import { isChange, isTaken, isUnknownText, refusalOf } from './member-faults.ts';
import type { LeftOut } from './row.ts';
import type { Member } from './spread.ts';

type Value = JsonObject[string];

/** The ids of apps, by the names that they have in the export. */
export type AppIds = Readonly<Record<string, string>>;

/** A device of iOS is known by its id for the vendor there. */
const withDeviceId = (device: Value): Value =>
  isRecord(device) && device.device_id == null && device.idfv != null
    ? { ...device, device_id: device.idfv }
    : device;

const withAppId = (token: Value, apps: AppIds): Value => {
  if (!isRecord(token) || typeof token.app !== 'string' || !Object.hasOwn(apps, token.app)) return token;
  return { ...token, app: apps[token.app] ?? token.app };
};

/** A single alias may stand without its list. */
const shaped = ([name, value]: Member, apps: AppIds): Member => {
  if (name === 'user_aliases' && isRecord(value)) return [name, [value]];
  if (!Array.isArray(value)) return [name, value];
  if (name === 'devices') return [name, value.map(withDeviceId)];
  return [name, name === 'push_tokens' ? value.map((token) => withAppId(token, apps)) : value];
};

const isField = ([name]: Member): boolean => attributeMembers.has(name) && !doesStayBehind(name);

const isList = (name: string): boolean => isListName(name) || name === 'subscription_groups';

const createFit = (fields: readonly Member[]) => {
  const leftOut: LeftOut[] = [];
  // Nearly always it is: only else is each member judged by itself.
  const isWhole = isTaken(fields);
  const keeps = (name: string, reason: string | undefined): boolean => {
    if (reason !== undefined) leftOut.push({ name, reason });
    return reason === undefined;
  };
  const items = (list: string, name: string, values: readonly Value[], itemOf: (value: Value) => Value) =>
    values.filter((value) => keeps(list, refusalOf([name, itemOf(value)])));
  const attributes = (all: JsonObject): JsonObject => {
    const given = Object.entries(all).filter(([, value]) => value !== null);
    const own = given.filter((member) => !isField(member));
    const isAllTaken = isTaken(own);
    const reasonOf = (member: Member): string | undefined => {
      if (isChange(member)) return 'would be taken for a change of the attribute';
      return isAllTaken || isField(member) ? undefined : refusalOf(member);
    };
    return Object.fromEntries(
      given.filter((member) => keeps(`custom_attributes.${member[0]}`, reasonOf(member))),
    );
  };
  const field = (member: Member): Member[] => {
    const [name, value] = member;
    if (isUnknownText(member)) return keeps(name, 'is not known here') ? [member] : [];
    if (isWhole) return [member];
    if (isList(name) && Array.isArray(value)) return [[name, items(name, name, value, (item) => [item])]];
    return keeps(name, refusalOf(member)) ? [member] : [];
  };
  return { leftOut, items, attributes, field };
};

/** What is no field is told by exported-user.ts. */
export const fitted = (given: JsonObject, apps: AppIds = {}): { user: JsonObject; leftOut: LeftOut[] } => {
  const all = Object.entries(given).flatMap((member) => (member[1] === null ? [] : [shaped(member, apps)]));
  const fit = createFit(all.filter(isField));
  const user = all.flatMap((member): Member[] => {
    const [name, value] = member;
    if (name === 'custom_attributes' && isRecord(value)) return [[name, fit.attributes(value)]];
    if (name === 'user_aliases' && Array.isArray(value))
      return [[name, fit.items(name, 'user_alias', value, (alias) => alias)]];
    return isField(member) ? fit.field(member) : [member];
  });
  return { user: Object.fromEntries(user), leftOut: fit.leftOut };
};
