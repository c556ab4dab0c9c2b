/**
 * The URL of a person's page: which workspace, preference center and person it is for, until when, and a signature of all of that. The
 * URL is the whole proof: what it does not name, it does not open.
 */
import { createSigned } from '@roster/channels';

/** `page` opens the preference center; `unsubscribe` does what RFC 8058 says when it is posted to. */
export type LinkKind = 'page' | 'unsubscribe';

export interface Link {
  kind: LinkKind;
  ws: string;
  /** Id of the preference center. */
  center: string;
  /** Service id: it is given once, so an old link never leads to another person. */
  person: string;
  /** Only for `unsubscribe`: from this group; without one from all emails. */
  group?: string;
  /** Seconds since the epoch. */
  expires: number;
}

export type ReadLink =
  | { is: 'good'; link: Link }
  /** Made here, but too long ago. */
  | { is: 'expired' }
  | { is: 'wrong' };

const purpose = 'roster page link 1';

const kinds: readonly LinkKind[] = ['page', 'unsubscribe'];

const wrong: ReadLink = { is: 'wrong' };

type Packed = [LinkKind, string, string, string, string, number];

const packed = ({ kind, ws, center, person, group = '', expires }: Link): Packed => [
  kind,
  ws,
  center,
  person,
  group,
  expires,
];

const unpacked = ([kind, ws, center, person, group, expires]: Packed): Link | undefined => {
  if (!kinds.includes(kind)) return undefined;
  return { kind, ws, center, person, ...(group !== '' && { group }), expires };
};

/** Signs and reads the links of one installation. A workspace has 40 letters, a group 64, the ids are ours. */
export const createLinks = (secret: string, now: () => number = Date.now) => {
  const signed = createSigned(secret, purpose);
  return {
    sign: (link: Link): string => signed.sign(packed(link)),

    read(text: string): ReadLink {
      const value = signed.read(text);
      const link = value === undefined ? undefined : unpacked(value as Packed);
      if (!link) return wrong;
      return link.expires * 1000 > now() ? { is: 'good', link } : { is: 'expired' };
    },
  };
};

export type Links = ReturnType<typeof createLinks>;
