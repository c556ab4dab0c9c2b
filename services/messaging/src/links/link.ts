/**
 * The URL of a person's page: which workspace, preference center and person it is for, until when, and a signature of all of that. The
 * URL is the whole proof: what it does not name, it does not open.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

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

/** What is signed for one purpose is worth nothing for another: requests ids and API keys have the same secret. */
const purpose = 'roster page link 1';

/** Longer texts are not looked at. A workspace has 40 letters, a group 64, the ids are ours. */
const longestLink = 1024;

const kinds: readonly LinkKind[] = ['page', 'unsubscribe'];

const wrong: ReadLink = { is: 'wrong' };

const signatureOf = (secret: string, payload: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}\n${payload}`).digest();

const packed = ({ kind, ws, center, person, group = '', expires }: Link): string =>
  Buffer.from(JSON.stringify([kind, ws, center, person, group, expires])).toString('base64url');

const unpacked = (payload: string): Link | undefined => {
  const [kind, ws, center, person, group, expires] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as [LinkKind, string, string, string, string, number];
  if (!kinds.includes(kind)) return undefined;
  return { kind, ws, center, person, ...(group !== '' && { group }), expires };
};

const isSigned = (secret: string, payload: string, signature: string): boolean => {
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(secret, payload);
  // The text too: base64 has several texts for the same bytes.
  return (
    given.length === right.length &&
    given.toString('base64url') === signature &&
    timingSafeEqual(given, right)
  );
};

/** Signs and reads the links of one installation. */
export const createLinks = (secret: string, now: () => number = Date.now) => ({
  sign(link: Link): string {
    const payload = packed(link);
    return `${payload}.${signatureOf(secret, payload).toString('base64url')}`;
  },

  /** Nothing of a text is believed, nor parsed, before its signature is right. */
  read(text: string): ReadLink {
    if (text.length > longestLink) return wrong;
    const [payload = '', signature = '', ...more] = text.split('.');
    if (more.length > 0 || !isSigned(secret, payload, signature)) return wrong;
    const link = unpacked(payload);
    if (!link) return wrong;
    return link.expires * 1000 > now() ? { is: 'good', link } : { is: 'expired' };
  },
});

export type Links = ReturnType<typeof createLinks>;
