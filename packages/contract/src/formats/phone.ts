import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { remember } from './remember.ts';

const LONGEST = 64;
const kept = remember(toE164);

/** E.164, or `undefined` when the text can't be a phone number. Ten digits without `+` are a US number. */
export function normalizePhone(text: string): string | undefined {
  return text.length > LONGEST ? undefined : kept(text);
}

function toE164(text: string): string | undefined {
  const international = withCountryCode(text.trim());
  if (international === undefined) return undefined;
  const phone = parsePhoneNumberFromString(international);
  // Possible, not valid: number plans change faster than the table that knows them.
  return phone?.isPossible() ? phone.number : undefined;
}

/** `+` and digits; everything else between them is stripped (field-facts 1.11). */
function withCountryCode(text: string): string | undefined {
  const digits = text.replace(/[^0-9]/g, '');
  if (text.startsWith('+')) return `+${digits}`;
  if (digits.length === 10) return `+1${digits}`;
  return digits.length === 11 && digits.startsWith('1') ? `+${digits}` : undefined;
}
