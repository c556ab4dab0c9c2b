/** The consent of people: statements about them, and about the contacts that they have or had. */
import { type Consent, contactKeysOf, type Profile, statesOf } from '@roster/profile';
import type { Breath, Moment, Store } from '@roster/store';

/** By service id. */
export const readConsents = async (
  { contactConsents }: Pick<Store, 'contactConsents'>,
  people: readonly Profile[],
  { moment, breath }: { moment: Moment; breath: Breath },
): Promise<ReadonlyMap<string, Consent[]>> => {
  const contacts = await contactConsents.read(people.flatMap(contactKeysOf), moment);
  const all = new Map<string, Consent[]>();
  for (const one of people) {
    all.set(one._id, statesOf(one, contacts));
    await breath();
  }
  return all;
};
