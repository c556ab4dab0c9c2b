/** The fields of a form: their names as the pages write them, and what a submitted form says. */
import { emailField, groupField } from '@roster/liquid';
import type { ConsentState } from '@roster/profile';
import { getsEmails, isOn, type Preferences, reachingGroups } from './preferences.ts';

/** Our own: whatever else is chosen. */
export const everythingField = 'unsubscribe_all';

/** Our own: the state that the page showed. A field that repeats it changes nothing; a box that is switched off, which a browser does not send, is `unsubscribed`. */
export const shownField = (name: string): string => `shown.${name}`;

/** A body has no more bytes: 100 groups with the longest ids, each with the state that was shown. */
export const mostFormBytes = 24 * 1024;
/** So many fields are looked at. */
const mostFields = 250;
/** So many groups the default preference center shows. */
export const mostGroups = 100;

/** What the person wants: groups by their ids, and all emails. */
export interface Choice {
  emails?: ConsentState;
  groups: ReadonlyMap<string, 'subscribed' | 'unsubscribed'>;
}

/** Of a name that comes twice the last value counts: pages may put a hidden field before a box, for the case that it is not ticked. */
const fieldsIn = (body: string): Map<string, string> =>
  new Map([...new URLSearchParams(body)].slice(0, mostFields));

/** What the form changes: `undefined` where it has no such field, or repeats what the page showed. */
const changeIn = (fields: ReadonlyMap<string, string>, name: string): string | undefined => {
  const shown = fields.get(shownField(name));
  const value = fields.get(name) ?? (shown === undefined ? undefined : 'unsubscribed');
  return value === shown ? undefined : value;
};

const isGroupState = (text: string | undefined): text is 'subscribed' | 'unsubscribed' =>
  text === 'subscribed' || text === 'unsubscribed';

const isState = (text: string | undefined): text is ConsentState => isGroupState(text) || text === 'opted_in';

type States = Pick<Preferences, 'emails' | 'groups' | 'hasPhone'>;

/** A field repeats what the page showed, and that has changed since: the form is older than the change, or is the one that made it, sent once more. */
const isOutdated = (fields: ReadonlyMap<string, string>, states: States): boolean =>
  [
    { name: emailField, on: getsEmails(states) },
    ...states.groups.map((group) => ({ name: groupField(group.id), on: isOn(group) })),
  ].some(({ name, on }) => {
    const shown = fields.get(shownField(name));
    return shown !== undefined && changeIn(fields, name) === undefined && (shown !== 'unsubscribed') !== on;
  });

const everythingOff = (states: States): Choice => ({
  emails: 'unsubscribed',
  groups: new Map(reachingGroups(states).map(({ id }) => [id, 'unsubscribed'])),
});

/** Groups that the workspace does not have, and values that are no states, are left out. `undefined`: the form is outdated, and nobody knows what the person wants. */
export const choiceIn = (body: string, states: States): Choice | undefined => {
  const fields = fieldsIn(body);
  if (fields.get(everythingField) === '1') return everythingOff(states);
  if (isOutdated(fields, states)) return undefined;
  const chosen = new Map<string, 'subscribed' | 'unsubscribed'>();
  for (const { id } of states.groups) {
    const value = changeIn(fields, groupField(id));
    if (isGroupState(value)) chosen.set(id, value);
  }
  const emails = changeIn(fields, emailField);
  return { ...(isState(emails) && { emails }), groups: chosen };
};

export const isEmpty = ({ emails, groups }: Choice): boolean => emails === undefined && groups.size === 0;
