/** The place of a page in the history of consent, and its cursor. */
import { Rejection } from '@roster/contract';
import type { ConsentChange } from '@roster/profile';

type Place = Pick<ConsentChange, 'at' | 'n' | 'k'>;

/** The place of a change. Changes that are added meanwhile move no page. */
export const cursorOf = ({ at, n, k }: Place): string => Buffer.from(`${at}.${n}.${k}`).toString('base64url');

export const placeIn = (cursor: string): Place => {
  const [, at = '', n = '', k = ''] =
    /^(\d{1,16})\.(\d{1,16})\.(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (k === '') throw new Rejection('CURSOR_INVALID');
  return { at: Number(at), n: Number(n), k };
};

/** Newest first, and among equals by the register: the order in which they are shown. */
export const compare = (a: Place, b: Place): number =>
  b.at - a.at || b.n - a.n || (a.k < b.k ? -1 : Number(a.k > b.k));
