/** How consent is read: a register for email, one for push, one for each subscription group. */
import type { Value } from './profile.ts';
import { type AttributeSettings, type Changes, ignored, only } from './reading.ts';
import { groups, stateOf } from './reading-groups.ts';

/** `null` removes the state. */
const register =
  (k: string) =>
  (name: string, value: Value): Changes => {
    const v = stateOf(value);
    return v === undefined ? ignored(name, 'wrong_type') : only({ kind: 'consent', k, v });
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
