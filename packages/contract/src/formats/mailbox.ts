import { isEmail } from './email.ts';
import { isLiquid } from './liquid.ts';

/** One address, and the name that is shown with it. */
export interface Mailbox {
  name: string;
  address: string;
}

export const mailboxRule = 'must be one email, or a name with one email in angle brackets, without Liquid';
export const addressRule = 'must be one email, without Liquid';

const rules = { isOne: (text: string): boolean => isEmail(text) && !isLiquid(text) };

/** For fault tests, to see what the rule is good for: this process takes any text for an address from now on. */
export const liftAddressRules = (): void => {
  rules.isOne = () => true;
};

/** `undefined`: it is not exactly one address. */
export const addressIn = (text: string): string | undefined => (rules.isOne(text) ? text.trim() : undefined);

const isQuoted = (name: string): boolean => /^".*"$/s.test(name);

const unquoted = (name: string): string =>
  isQuoted(name) ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name;

/** `a@b.example, Ada` is an address and a name, not a name. */
const isSeveral = (name: string): boolean => !isQuoted(name) && name.includes('@') && /[,;]/.test(name);

const isName = (name: string): boolean =>
  name.isWellFormed() && !isLiquid(name) && !isSeveral(name) && !/[<>\p{Cc}]/u.test(name);

/** `Ada <ada@example.com>`, or an email alone. */
export const mailboxIn = (text: string): Mailbox | undefined => {
  const whole = text.trim();
  const at = whole.endsWith('>') ? whole.lastIndexOf('<') : undefined;
  const name = whole.slice(0, at ?? 0).trim();
  const address = addressIn(at === undefined ? whole : whole.slice(at + 1, -1));
  return address !== undefined && isName(name) ? { name: unquoted(name), address } : undefined;
};
