/** The fields of a form: their names as the pages write them, and what a submitted form says. */
import { emailField, groupField } from '@roster/liquid';
import type { ConsentState } from '@roster/profile';
import type { Preferences } from './preferences.ts';

/** Our own: whatever else is chosen. */
export const everythingField = 'unsubscribe_all';

/** A body has no more bytes: 100 groups with the longest ids, each with a hidden field beside its box. */
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

/** Of a name that comes twice the last value counts: a hidden field stands before its box, for the case that the box is not ticked. */
const fieldsIn = (body: string): Map<string, string> =>
  new Map([...new URLSearchParams(body)].slice(0, mostFields));

const isGroupState = (text: string | undefined): text is 'subscribed' | 'unsubscribed' =>
  text === 'subscribed' || text === 'unsubscribed';

const isState = (text: string | undefined): text is ConsentState => isGroupState(text) || text === 'opted_in';

/** Groups that the workspace does not have, and values that are no states, are left out. */
export const choiceIn = (body: string, { groups }: Pick<Preferences, 'groups'>): Choice => {
  const fields = fieldsIn(body);
  if (fields.get(everythingField) === '1')
    return { emails: 'unsubscribed', groups: new Map(groups.map(({ id }) => [id, 'unsubscribed'])) };
  const chosen = new Map<string, 'subscribed' | 'unsubscribed'>();
  for (const { id } of groups) {
    const value = fields.get(groupField(id));
    if (isGroupState(value)) chosen.set(id, value);
  }
  const emails = fields.get(emailField);
  return { ...(isState(emails) && { emails }), groups: chosen };
};

export const isEmpty = ({ emails, groups }: Choice): boolean => emails === undefined && groups.size === 0;
