/** The lists of a profile in the public form. */
import type { List, ListName, Profile } from './profile.ts';
import type { Shown, VisibleProfile } from './visible-profile.ts';

/** Outside, the app of a push token is called `app`. */
const visibleToken = (v: Shown): Shown =>
  Object.fromEntries(Object.entries(v).map(([name, value]) => [name === 'app_id' ? 'app' : name, value]));

/** A count of sessions may be sent as a number; it is shown as a text. */
const visibleApp = (v: Shown): Shown => {
  const { sessions } = v;
  return typeof sessions === 'number' || typeof sessions === 'bigint'
    ? { ...v, sessions: String(sessions) }
    : v;
};

const visibleItem: { readonly [Name in ListName]?: (v: Shown) => Shown } = {
  apps: visibleApp,
  push_tokens: visibleToken,
};

const visibleList = (name: ListName, { items }: List): Shown[] => {
  const sorted = items.toSorted((a, b) => a.at - b.at || (a.k < b.k ? -1 : 1));
  const shown = visibleItem[name];
  return sorted.map(({ v }) => (shown ? shown(v) : v));
};

export const visibleLists = ({ lists }: Profile): VisibleProfile['lists'] =>
  Object.fromEntries(
    Object.entries(lists)
      .filter(([, { items }]) => items.length > 0)
      .map(([name, list]) => [name, visibleList(name as ListName, list)]),
  );
