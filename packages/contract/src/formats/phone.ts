import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { rememberShort } from './remember.ts';

/** E.164, or `undefined` when the text can't be a phone number. Exactly ten digits without `+` are a US number; any other number of digits needs the `+`. */
export const normalizePhone = rememberShort(toE164, 64);

/** In the countries of +1 neither the area code nor what follows it begins with 0 or 1: such a text is a number of another country. */
const american = /^\+1[2-9]\d\d[2-9]\d{6}$/;

function toE164(text: string): string | undefined {
  const international = withCountryCode(text);
  if (international === undefined) return undefined;
  const phone = parsePhoneNumberFromString(international);
  // Possible, not valid: number plans change faster than the table that knows them.
  if (!phone?.isPossible()) return undefined;
  return phone.countryCallingCode !== '1' || american.test(phone.number) ? phone.number : undefined;
}

/** `+` before the first digit, and digits; everything else is stripped. */
function withCountryCode(text: string): string | undefined {
  const digits = text.replace(/[^0-9]/g, '');
  if (/^[^0-9]*\+/.test(text)) return `+${digits}`;
  return digits.length === 10 ? `+1${digits}` : undefined;
}
