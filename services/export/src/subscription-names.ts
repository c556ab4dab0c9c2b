/** The names by which a read about subscription groups asks for people. */
import { isE164, isEmail, Rejection } from '@roster/contract';
import { emailKey } from '@roster/profile';

interface NamesQuery {
  external_id?: string[] | undefined;
  email?: string[] | undefined;
  phone?: string[] | undefined;
}

export interface Names {
  by: 'external_id' | 'email' | 'phone';
  names: string[];
}

export type Addresses = Names & { by: 'email' | 'phone' };

/** A `+` that was not encoded comes as a space. */
export const phoneIn = (sent: string): string => {
  const phone = sent.startsWith(' ') ? `+${sent.slice(1)}` : sent;
  if (isE164(phone)) return phone;
  throw new Rejection('PHONE_NOT_E164', { message: 'phone is not in the E.164 format' });
};

/** An email holds no space: one inside of it was a `+` that was not encoded. */
export const emailIn = (sent: string): string => {
  const text = sent.trim();
  const email = text.replaceAll(' ', '+');
  return text.includes(' ') && isEmail(email) ? email : sent;
};

/** External ids win; emails and phones do not go together. */
export const namesIn = ({ external_id = [], email = [], phone = [] }: NamesQuery): Names => {
  if (external_id.length > 0) return { by: 'external_id', names: external_id };
  if (email.length > 0 && phone.length > 0) throw new Rejection('EMAIL_AND_PHONE');
  if (email.length > 0) return { by: 'email', names: email.map(emailIn) };
  if (phone.length > 0) return { by: 'phone', names: phone.map(phoneIn) };
  throw new Rejection('NOBODY_NAMED');
};

/** As emails and phones are compared. */
export const keyOf = (by: 'email' | 'phone', name: string): string =>
  by === 'email' ? emailKey(name) : name;
