/** Removes erased people from the recipients that schedules and deliveries name. */
import { identityKey } from '@roster/profile';
import type { Collection } from '../db.ts';
import type { Transact } from '../transact.ts';
import type { DeliveryDocument, ScheduleDocument } from './documents.ts';
import { deliveriesOf } from './stop.ts';

const atOnce = 100;

interface Alias {
  alias_name: string;
  alias_label: string;
}

interface Users {
  external_user_ids?: string[];
  user_aliases?: Alias[];
}

const keyOfId = (ws: string, id: string): string => identityKey(ws, { by: 'external_id', id });

const keyOfAlias = (ws: string, { alias_label: label, alias_name: name }: Alias): string =>
  identityKey(ws, { by: 'user_alias', label, name });

/** Identity keys of the users that recipients name. */
export const listedIn = (ws: string, { external_user_ids = [], user_aliases = [] }: Users): string[] => [
  ...external_user_ids.map((id) => keyOfId(ws, id)),
  ...user_aliases.map((alias) => keyOfAlias(ws, alias)),
];

/** No person has it: without any name the messages would go to everybody. */
const nobody = '';

/** JSON that keeps the digits of whole numbers: audiences have them. */
export interface ExactJson {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** The JSON text of recipients without these people. */
const without = (
  ws: string,
  recipients: string,
  erased: ReadonlySet<string>,
  { parse, stringify }: ExactJson,
): string => {
  const { external_user_ids = [], user_aliases = [], ...rest } = parse(recipients) as Users;
  const ids = external_user_ids.filter((id) => !erased.has(keyOfId(ws, id)));
  const aliases = user_aliases.filter((alias) => !erased.has(keyOfAlias(ws, alias)));
  const isEmpty = ids.length + aliases.length === 0;
  return stringify({
    ...rest,
    ...((ids.length > 0 || isEmpty) && { external_user_ids: isEmpty ? [nobody] : ids }),
    ...(aliases.length > 0 && { user_aliases: aliases }),
  });
};

interface Collections {
  schedules: Collection<ScheduleDocument>;
  deliveries: Collection<DeliveryDocument>;
}

export interface Erased {
  ws: string;
  /** Identity keys. */
  keys: readonly string[];
  /** Schedules that were created later mean whoever has these names now. */
  upTo: number;
}

export const createRecipientErasure =
  ({ schedules, deliveries }: Collections, transact: Transact) =>
  async ({ ws, keys, upTo }: Erased, json: ExactJson, mayGoOn: () => void): Promise<void> => {
    const erased = new Set(keys);
    const theirs = { listed: { $in: [...keys] }, created: { $lte: upTo } };
    for (;;) {
      mayGoOn();
      const found = await transact(async (session) => {
        const projection = { dispatch: 1, recipients: 1 };
        const some = await schedules.find(theirs, { session, projection, limit: atOnce }).toArray();
        for (const { _id, dispatch, recipients: before } of some) {
          const recipients = without(ws, before, erased, json);
          await schedules.updateOne(
            { _id },
            { $set: { recipients }, $pullAll: { listed: [...keys] } },
            { session },
          );
          await deliveries.updateMany(deliveriesOf(dispatch), { $set: { recipients } }, { session });
        }
        return some.length;
      });
      if (found < atOnce) return;
    }
  };
