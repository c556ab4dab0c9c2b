/**
 * The URL of a person's page: which workspace, preference center and person it is for, until when, and a signature of all of that. The
 * URL is the whole proof: what it does not name, it does not open.
 */
import { createSigned } from '@roster/channels';
import type { Secrets } from '@roster/secrets';

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
  /** Made here, but too long ago, or signed with a secret whose date has passed. */
  | { is: 'expired' }
  | { is: 'wrong' };

const purpose = 'roster page link 1';

type Packed = [LinkKind, string, string, string, string, number];

/** Signs and reads the links of one installation. A workspace has 40 letters, a group 64, the ids are ours. */
export const createLinks = (secrets: Secrets, now: () => number = Date.now) => {
  const signed = createSigned(secrets, purpose, now);
  return {
    sign: ({ kind, ws, center, person, group = '', expires }: Link): string =>
      signed.sign([kind, ws, center, person, group, expires] satisfies Packed),

    read(text: string): ReadLink {
      const value = signed.read(text);
      if (value === undefined) return { is: signed.isPast(text) ? 'expired' : 'wrong' };
      const [kind, ws, center, person, group, expires] = value as Packed;
      if (expires * 1000 <= now()) return { is: 'expired' };
      return { is: 'good', link: { kind, ws, center, person, ...(group !== '' && { group }), expires } };
    },
  };
};

export type Links = ReturnType<typeof createLinks>;
