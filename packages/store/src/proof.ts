/** The part of the history of an erased person that is kept as proof. */
import { type ConsentChange, identityKey, type Stamp } from '@roster/profile';
import type { ConsentDocument } from './documents.ts';
import { digestOf, secretFrom } from './tombstone-documents.ts';

/** An erased person: their service ids, the identity keys that only they had, and all changes of their consent. */
export interface Proven {
  ws: string;
  profiles: readonly string[];
  keys: readonly string[];
  history: readonly ConsentChange[];
  at: Stamp;
}

export const proofOf = (
  { ws, profiles, keys, history }: Proven,
  secret: string | undefined,
): ConsentDocument[] => {
  const names = [...keys, ...profiles.map((id) => identityKey(ws, { by: 'service_id', id }))];
  const proof = [...new Set(names.map((key) => digestOf(secretFrom(secret), key)))];
  return history.map((change, place) => ({ _id: `proof:${profiles[0]}:${place}`, ws, ...change, proof }));
};
