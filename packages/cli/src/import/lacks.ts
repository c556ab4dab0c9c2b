/** Names that the key may not give. */
import type { NameItem } from './batches.ts';
import { nothingSent, type Sent } from './sent.ts';

/** What is left out without a permission: why, and what can be done. */
const lacks = {
  user_aliases: {
    reason: 'the key lacks the permission users.alias.new',
    remedy: 'give it to the key and import again with --restart: within 24 hours nothing counts twice',
  },
  'further user_aliases': {
    reason: 'to somebody without an external id they are added by a merge, and the key lacks users.merge',
    remedy: 'give it to the key and import again with --restart: within 24 hours nothing counts twice',
  },
  former_external_ids: {
    reason: 'the key lacks the permission users.external_ids.rename',
    remedy:
      'they can only be brought in with their people: give it to the key and import into an empty workspace',
  },
} as const;

type LeftOut = keyof typeof lacks;

export const lackOf = (name: string): { reason: string; remedy: string } | undefined =>
  Object.entries(lacks).find(([left]) => left === name)?.[1];

export const without = (items: readonly NameItem[], name: LeftOut): Sent => ({
  ...nothingSent,
  leftOut: items.map(() => name),
});
