/** What counts as people's consent: what they said themselves, and what was said about their addresses. */
import { addressOf, type Consent, effectiveConsents, type Profile, type Said } from '@roster/profile';
import type { Moment, Store } from '@roster/store';
import { type Breath, eachOf } from '@roster/store';

/** By service id. */
export const readConsents = async (
  { addresses }: Pick<Store, 'addresses'>,
  people: readonly Profile[],
  { moment, breath }: { moment: Moment; breath: Breath },
): Promise<ReadonlyMap<string, Consent[]>> => {
  const keys = people.flatMap((one) => [addressOf(one, 'email'), addressOf(one, 'phone')]);
  const asked = [...new Set(keys.filter((key) => key !== undefined))];
  const cursor = addresses.find({ _id: { $in: asked } }, moment);
  const found = await eachOf(cursor, breath, ({ _id, consents }) => [_id, consents] as const);
  const saidOf = new Map<string, readonly Said[]>(found);
  const said = (one: Profile, name: 'email' | 'phone'): readonly Said[] =>
    saidOf.get(addressOf(one, name) ?? '') ?? [];
  return new Map(
    people.map((one) => [
      one._id,
      effectiveConsents(one, { email: said(one, 'email'), phone: said(one, 'phone') }),
    ]),
  );
};
