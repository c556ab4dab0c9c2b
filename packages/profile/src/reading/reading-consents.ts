/** How consent is read: a register for email, one for push, one for each subscription group. */
import { groupKey } from '../consent/consent.ts';
import { isNested } from '../fold/nested.ts';
import type { Note } from '../note.ts';
import type { ConsentState, Value } from '../profile.ts';
import { type AttributeSettings, type Changes, ignored, only, type ProfileChange } from './reading.ts';

const states: readonly ConsentState[] = ['opted_in', 'subscribed', 'unsubscribed'];

const stateOf = (value: Value | undefined): ConsentState | null | undefined =>
  value === null ? null : states.find((state) => state === value);

/** `null` removes the state. */
const register =
  (k: string) =>
  (name: string, value: Value): Changes => {
    const v = stateOf(value);
    return v === undefined ? ignored(name, 'wrong_type') : only({ kind: 'consent', k, v });
  };

const members: ReadonlySet<string> = new Set([
  'subscription_group_id',
  'subscription_state',
  'use_double_opt_in_logic',
]);

const hasUnknown = (value: Value): boolean =>
  isNested(value) && Object.keys(value).some((name) => !members.has(name));

/** There is no second confirmation of an opt-in. */
const wantsDoubleOptIn = (value: Value): boolean => isNested(value) && value.use_double_opt_in_logic === true;

const consentOf = (value: Value, isOfTexts: (id: string) => boolean): ProfileChange | undefined => {
  if (!isNested(value)) return undefined;
  const { subscription_group_id: id, subscription_state } = value;
  const v = stateOf(subscription_state);
  if (typeof id !== 'string' || v === undefined) return undefined;
  return { kind: 'consent', k: groupKey(id, isOfTexts(id) ? 'sms' : 'email'), v };
};

const groups = (name: string, value: Value, { isOfTexts = () => false }: AttributeSettings): Changes => {
  if (!Array.isArray(value)) return ignored(name, 'wrong_type');
  const all = value.map((one) => consentOf(one, isOfTexts));
  const changes = all.filter((change) => change !== undefined);
  const notes: Note[] = [];
  if (changes.length < all.length) notes.push({ field: name, reason: 'wrong_type' });
  if (value.some(hasUnknown)) notes.push({ field: name, reason: 'unknown_member' });
  if (value.some(wantsDoubleOptIn)) notes.push({ field: 'use_double_opt_in_logic', reason: 'unsupported' });
  return { changes, notes };
};

const readers: ReadonlyMap<string, (name: string, value: Value, settings: AttributeSettings) => Changes> =
  new Map([
    ['email_subscribe', register('email')],
    ['push_subscribe', register('push')],
    ['subscription_groups', groups],
  ]);

/** `undefined` when the name is no consent. */
export const readConsent = (name: string, value: Value, settings: AttributeSettings): Changes | undefined =>
  readers.get(name)?.(name, value, settings);
