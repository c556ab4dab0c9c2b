/** What counts of consent, by the sentences of decisions.md ("Subscription"): it belongs to the contact it was said about. */
import type { Channel, Consent, Consents, Person, Register, State } from './state.ts';

export const registers: readonly Register[] = ['email', 'push', 'news', 'texts'];

export const channelOf: Record<Register, Channel | undefined> = {
  email: 'email',
  news: 'email',
  texts: 'phone',
  push: undefined,
};

export const consentOf = ({ said }: State, person: Person, register: Register): Consent | undefined => {
  const channel = channelOf[register];
  const contact = channel && person[channel];
  return (contact === undefined ? undefined : said[contact]?.[register]) ?? person.said[register];
};

export const sayOfContact = (state: State, contact: string, consents: Consents): State => ({
  ...state,
  said: { ...state.said, [contact]: { ...state.said[contact], ...consents } },
});

const only = (consents: Consents, channel: Channel): Consents =>
  Object.fromEntries(
    Object.entries(consents).filter(([register]) => channelOf[register as Register] === channel),
  );

/** Said by another identifier than a contact: of the person, and of the contacts that the person has. */
export const alsoOfContacts = (state: State, person: Person, consents: Consents): State => {
  let next = state;
  for (const channel of ['email', 'phone'] as const) {
    const [contact, some] = [person[channel], only(consents, channel)];
    if (contact !== undefined && Object.keys(some).length > 0) next = sayOfContact(next, contact, some);
  }
  return next;
};

/** All that counts is kept as the person's own. */
const keeping = (state: State, person: Person, channel: Channel): Consents => {
  const said: Partial<Record<Register, Consent>> = { ...person.said };
  for (const register of registers) {
    const consent = channelOf[register] === channel ? consentOf(state, person, register) : undefined;
    if (consent !== undefined) said[register] = consent;
  }
  return said;
};

/** The person as they are with another email or phone, or with none. */
export const moved = (state: State, person: Person, channel: Channel, to: string | null): Person => {
  if ((person[channel] ?? null) === to) return person;
  const { [channel]: _, ...rest } = person;
  return { ...rest, said: keeping(state, person, channel), ...(to !== null && { [channel]: to }) };
};

/** The kept person keeps contact and state. Where they have no contact, the other's comes over with its state. */
export const joinedConsents = (
  state: State,
  kept: Person,
  gone: Person,
): Pick<Person, 'said' | 'email' | 'phone'> => {
  const said: Partial<Record<Register, Consent>> = { ...kept.said };
  for (const register of registers) {
    const channel = channelOf[register];
    if (channel && kept[channel] !== undefined) continue;
    const consent = said[register] ?? consentOf(state, gone, register);
    if (consent !== undefined) said[register] = consent;
  }
  return { said, email: kept.email ?? gone.email, phone: kept.phone ?? gone.phone };
};

/** The last person who had them is deleted. */
export const forgetContactsOf = (state: State, gone: Person): State => {
  const said = { ...state.said };
  for (const channel of ['email', 'phone'] as const) {
    const contact = gone[channel];
    const isShared = state.people.some((person) => person !== gone && person[channel] === contact);
    if (contact !== undefined && !isShared) delete said[contact];
  }
  return { ...state, said };
};
