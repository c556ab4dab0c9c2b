/** What the operations on subscription groups have in common. */
import { normalizePhone } from '../../formats/phone.ts';
import { isCleanText } from '../../formats/text.ts';
import { label, oneOf } from '../../shape.ts';
import type { Json } from '../../types.ts';

/** External ids, emails or phones in one list. */
export const mostNames = 50;

export const groupId = label('Id of the subscription group.');

export const subscriptionTag = 'Subscription';

export type ReadState = 'Subscribed' | 'Unsubscribed' | 'unknown';

export const readState = (description: string) =>
  oneOf(['Subscribed', 'Unsubscribed', 'unknown'], description);

/** Not a blank, and nothing that MongoDB could not keep. */
export const isName = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim() !== '' && isCleanText(value)
    : typeof value === 'bigint' || Number.isSafeInteger(value);

const strictPhone = /^\+[1-9]\d{1,14}$/;

/** What a schema can say of it; whether a number can exist it can't. */
export const publishedPhone = { pattern: '^\\+[1-9][0-9]{6,14}$' };

/** Only what is written so: elsewhere ten digits are a US number, here they are refused. */
export const isE164 = (phone: string): boolean =>
  strictPhone.test(phone) && normalizePhone(phone) !== undefined;

/** Absent, `null` and an empty list all name no person. */
export const listed = (value: Json | undefined): Json[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};
