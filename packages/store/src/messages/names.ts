/** The names of recipients, as the interface, the command line and the outbox show them. */
import { nameIn, type Profile } from '@roster/profile';
import type { Collection } from '../connection/db.ts';
import type { SendDocument } from '../models/messages.ts';

type Named = Pick<SendDocument, 'profile' | 'named'>;

/** By service id. */
export const externalIdsOf = async (
  { profiles }: { profiles: Collection<Profile> },
  rows: readonly Named[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = [...new Set(rows.map(({ profile }) => profile))];
  const found = await profiles
    .find<Pick<Profile, '_id' | 'external_id'>>({ _id: { $in: ids } }, { projection: { external_id: 1 } })
    .toArray();
  return new Map(
    found.flatMap(({ _id, external_id }) => (external_id === undefined ? [] : [[_id, external_id]])),
  );
};

/** A listed name that is not the row of a person. */
export const listedName = (key: string): string => {
  const { external_id = '', user_alias } = nameIn(key);
  return user_alias ? `${user_alias.alias_label}:${user_alias.alias_name}` : external_id;
};

/** The external id of the person, else the service id; or the listed name. Empty for a name that was erased. */
export const recipientName = ({ profile, named }: Named, externalIds: ReadonlyMap<string, string>): string =>
  named === undefined ? (externalIds.get(profile) ?? profile) : listedName(named);
