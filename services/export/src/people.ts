/** Finds the people of an export in the order in which they were asked for. */
import type { ExportRequest } from '@roster/contract';
import { emailKey, identityKey, type Profile } from '@roster/profile';
import type { Store } from '@roster/store';

/** One thing that was asked for, and everybody it stands for. */
interface Found {
  asked: string;
  profiles: Profile[];
}

/** More have no more than their email in common. */
const mostSharers = 1000;

const claimsIn = (
  ws: string,
  { external_ids = [], user_aliases = [] }: ExportRequest,
): { asked: string; key: string }[] => [
  ...external_ids.map((id) => ({ asked: id, key: identityKey(ws, { by: 'external_id', id }) })),
  ...user_aliases.map(({ alias_label, alias_name }) => ({
    asked: alias_name,
    key: identityKey(ws, { by: 'user_alias', label: alias_label, name: alias_name }),
  })),
];

const filterOf = (ws: string, { service_id, email_address, phone }: ExportRequest) => {
  if (service_id !== undefined) return { asked: service_id, filter: { _id: service_id, ws } };
  if (email_address !== undefined)
    return { asked: email_address, filter: { ws, email_key: emailKey(email_address) } };
  return phone === undefined ? undefined : { asked: phone, filter: { ws, phone_key: phone } };
};

export const createPeople = ({ ownersOf, profiles }: Pick<Store, 'ownersOf' | 'profiles'>) => {
  const byClaims = async (
    ws: string,
    body: ExportRequest,
    projection: Record<string, 1>,
  ): Promise<Found[]> => {
    const claims = claimsIn(ws, body);
    if (claims.length === 0) return [];
    const ownerOf = await ownersOf(claims.map(({ key }) => key));
    const found = await profiles
      .find({ _id: { $in: [...new Set(ownerOf.values())] } }, { projection })
      .toArray();
    const profileOf = new Map(found.map((profile) => [profile._id, profile]));
    return claims.map(({ asked, key }) => {
      const profile = profileOf.get(ownerOf.get(key) ?? '');
      return { asked, profiles: profile ? [profile] : [] };
    });
  };

  const byValue = async (
    ws: string,
    body: ExportRequest,
    projection: Record<string, 1>,
  ): Promise<Found[]> => {
    const wanted = filterOf(ws, body);
    if (!wanted) return [];
    const found = await profiles
      .find(wanted.filter, { projection, sort: { _id: 1 }, limit: mostSharers })
      .toArray();
    return [{ asked: wanted.asked, profiles: found }];
  };

  return async (ws: string, body: ExportRequest, projection: Record<string, 1>): Promise<Found[]> => [
    ...(await byClaims(ws, body, projection)),
    ...(await byValue(ws, body, projection)),
  ];
};
