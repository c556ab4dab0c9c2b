/** Removes the names of erased people from the recipients that schedules and deliveries list, and from the rows of such names. */
import { aliasKey, externalKey } from '@roster/profile';
import type { Transact } from '../connection/transact.ts';
import type { OwnersOf } from '../identifiers/owners.ts';
import type { Tombstones } from '../identifiers/tombstones.ts';
import type { CollectionsOf } from '../models/models.ts';
import { deliveriesOf } from './stop.ts';

interface Alias {
  alias_name: string;
  alias_label: string;
}

interface Users {
  external_user_ids?: string[];
  user_aliases?: Alias[];
}

const keyOfAlias = (ws: string, { alias_label: label, alias_name: name }: Alias): string =>
  aliasKey(ws, { label, name });

/** Identity keys of the users that recipients name. */
export const listedIn = (ws: string, { external_user_ids = [], user_aliases = [] }: Users): string[] => [
  ...external_user_ids.map((id) => externalKey(ws, id)),
  ...user_aliases.map((alias) => keyOfAlias(ws, alias)),
];

/** Stands for an erased name: no person has this id. So the recipients still add up to what was asked, and nobody is not everybody. */
export const erasedName = '';

/** JSON that keeps the digits of whole numbers: audiences have them. */
export interface ExactJson {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** The JSON text of recipients without these names. */
const without = (
  ws: string,
  recipients: string,
  erased: ReadonlySet<string>,
  { parse, stringify }: ExactJson,
): string => {
  const { external_user_ids = [], user_aliases = [], ...rest } = parse(recipients) as Users;
  const aliases = user_aliases.filter((alias) => !erased.has(keyOfAlias(ws, alias)));
  const ids = [
    ...external_user_ids.map((id) => (erased.has(externalKey(ws, id)) ? erasedName : id)),
    ...Array.from({ length: user_aliases.length - aliases.length }, () => erasedName),
  ];
  return stringify({
    ...rest,
    ...(ids.length > 0 && { external_user_ids: ids }),
    ...(aliases.length > 0 && { user_aliases: aliases }),
  });
};

interface NameStores {
  tombstones: Pick<Tombstones, 'digestsOf' | 'lostBy'>;
  ownersOf: OwnersOf;
}

export interface Erased {
  ws: string;
  /** Service ids. */
  profiles: readonly string[];
  /** Identity keys. */
  keys: readonly string[];
  /** Schedules that were created later mean the current owners of these names. */
  upTo: number;
}

export const createRecipientErasure = (
  { schedules, deliveries, sends }: CollectionsOf<'schedules' | 'deliveries' | 'sends'>,
  transact: Transact,
  { tombstones: { digestsOf, lostBy }, ownersOf }: NameStores,
) => {
  /** `upTo` by digest: in schedules that were created later, the name means another person. */
  const eraseIn =
    (ws: string, upTo: ReadonlyMap<string, number>, json: ExactJson, othersOf: OwnersOf) =>
    (_id: string): Promise<void> =>
      transact(async (session) => {
        const projection = { dispatch: 1, recipients: 1, created: 1 };
        const found = await schedules.findOne({ _id }, { session, projection });
        if (!found) return;
        const { dispatch, created, recipients: before } = found;
        const isTheirs = (key: string): boolean =>
          digestsOf(key).some((digest) => created <= (upTo.get(digest) ?? 0));
        const theirs = listedIn(ws, json.parse(before) as Users).filter(isTheirs);
        const others = await othersOf(theirs, session);
        const erased = new Set(theirs.filter((key) => !others.has(key)));
        if (erased.size === 0) return;
        const recipients = without(ws, before, erased, json);
        const listed = [...erased].flatMap(digestsOf);
        await schedules.updateOne({ _id }, { $set: { recipients }, $pullAll: { listed } }, { session });
        await deliveries.updateMany(deliveriesOf(dispatch), { $set: { recipients } }, { session });
        await sends.deleteMany({ ...deliveriesOf(dispatch), named: { $in: [...erased] } }, { session });
      });

  return async ({ ws, profiles, keys, upTo }: Erased, json: ExactJson, mayGoOn: () => void) => {
    const erase = async (names: ReadonlyMap<string, number>, othersOf: OwnersOf): Promise<void> => {
      const eraseFrom = eraseIn(ws, names, json, othersOf);
      const found = schedules.find({ listed: { $in: [...names.keys()] } }, { projection: { _id: 1 } });
      for await (const { _id } of found) {
        mayGoOn();
        await eraseFrom(_id);
      }
    };

    await erase(new Map(keys.flatMap(digestsOf).map((digest) => [digest, upTo])), async () => new Map());
    for await (const lost of lostBy(profiles))
      await erase(new Map(lost.map(({ digest, at }) => [digest, Math.min(at, upTo)])), ownersOf);
  };
};
