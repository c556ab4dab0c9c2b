/** The next recipients of a delivery: those who are listed, or a page of an audience, in the order of their service ids. */
import { AudienceFault } from '@roster/audience';
import type { Recipients } from '@roster/contract';
import { identityKey } from '@roster/profile';
import type { DeliveryDocument, Store } from '@roster/store';
import type { SettingsOfSender } from './settings.ts';

export interface Page {
  ids: string[];
  /** The next page begins after this one. */
  cursor: string;
  isLast: boolean;
}

const isListed = ({ external_user_ids = [], user_aliases = [] }: Recipients): boolean =>
  external_user_ids.length + user_aliases.length > 0;

const keysOf = (ws: string, { external_user_ids = [], user_aliases = [] }: Recipients): string[] => [
  ...external_user_ids.map((id) => identityKey(ws, { by: 'external_id', id })),
  ...user_aliases.map(({ alias_name: name, alias_label: label }) =>
    identityKey(ws, { by: 'user_alias', name, label }),
  ),
];

type Asked = { audiences: unknown[] } | 'nobody';

/** Whoever of them is no longer there is left out when the people are read. */
const someOf = (ids: readonly string[], cursor: string, most: number): Page => {
  const left = ids.filter((id) => id > cursor).toSorted();
  const page = left.slice(0, most);
  return { ids: page, cursor: page.at(-1) ?? cursor, isLast: page.length === left.length };
};

const nobody = (cursor: string): Page => ({ ids: [], cursor, isLast: true });

/** People who are looked at for a page. */
const mostLooked = 1000;

interface PageOptions {
  store: Pick<Store, 'identities' | 'audiences'>;
  settingsOf: SettingsOfSender;
}

export const createNextPage = ({ store, settingsOf }: PageOptions) => {
  const { identities, audiences } = store;

  /** What is asked for, each by itself: a segment, an audience, or both. */
  const askedFor = async (ws: string, { segment_id, audience }: Recipients): Promise<Asked> => {
    const { segments } = await settingsOf(ws);
    const segment = segments.find(({ id }) => id === segment_id);
    // It was removed meanwhile: nobody is in it.
    if (segment_id !== undefined && !segment) return 'nobody';
    return { audiences: [segment?.audience, audience].filter((one) => one !== undefined) };
  };

  const listed = async (ws: string, recipients: Recipients): Promise<string[]> => {
    const claims = await identities.find({ _id: { $in: keysOf(ws, recipients) } }).toArray();
    return [...new Set(claims.map(({ profile }) => profile))];
  };

  /** At most so many. A page may have nobody on it and not be the last one. */
  return async (
    { ws, cursor = '' }: Pick<DeliveryDocument, 'ws' | 'cursor'>,
    recipients: Recipients,
    most: number,
  ): Promise<Page> => {
    const asked = await askedFor(ws, recipients);
    if (asked === 'nobody') return nobody(cursor);
    const among = isListed(recipients) ? { among: await listed(ws, recipients) } : {};
    if (among.among && asked.audiences.length === 0) return someOf(among.among, cursor, most);
    const look = { ws, ...asked, ...among, after: cursor, people: mostLooked, most };
    try {
      const { ids, last, isLast } = await audiences.look(look);
      return { ids, cursor: last, isLast };
    } catch (error) {
      // An earlier version took larger audiences than this one reads: nobody is in them.
      if (error instanceof AudienceFault) return nobody(cursor);
      throw error;
    }
  };
};
