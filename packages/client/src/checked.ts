/** Options that can never pass are refused before anything is sent. What was given is not repeated: it may be a secret. */

/** Address without a slash at its end. */
export const urlOf = (given: unknown): string => {
  let url: URL;
  try {
    url = new URL(String(given));
  } catch {
    throw new TypeError("the option 'url' must be an address such as https://roster.example.com");
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError("the option 'url' must begin with https:// or http://");
  if (url.username + url.password + url.search + url.hash !== '')
    throw new TypeError("the option 'url' must not hold a user, a password, a query or a fragment");
  return url.href.replace(/[?#/]+$/, '');
};

/** A secret as it stands in a header. */
export const secretOf = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw new TypeError(`the option '${name}' must be a text`);
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new TypeError(
      `the option '${name}' has a space, a line break, or another character that no key has`,
    );
  return value;
};

/** Throws for a header that no request can carry; `fetch` would repeat its value in its error. */
export const refuseHeaders = (headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers({ [name]: value });
    } catch {
      throw new TypeError(`the header ${JSON.stringify(name)} has a character that no header may have`);
    }
};

/** What an option must be: a number above or from a bound, up to another one; or one of a list of words; or anything. */
interface Rule {
  above?: number;
  from?: number;
  to?: number;
  words?: readonly string[];
}

export const anything: Rule = {};

export type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

const numberFault = ({ above, from, to }: Rule, value: unknown): string | undefined => {
  if (typeof value !== 'number' || Number.isNaN(value)) return 'a number';
  if (above !== undefined && value <= above) return `more than ${above}`;
  if (from !== undefined && value < from) return `at least ${from}`;
  return to !== undefined && value > to ? `at most ${to}` : undefined;
};

const faultOf = (rule: Rule, value: unknown): string | undefined => {
  const { words } = rule;
  if (words) return words.includes(String(value)) ? undefined : words.join(' or ');
  return Object.keys(rule).length > 0 ? numberFault(rule, value) : undefined;
};

/** An option of the same letters, however they are written. */
const meantBy = (name: string, rules: object): string => {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  const meant = Object.keys(rules).find((known) => plain(known) === plain(name));
  return meant ? `: did you mean '${meant}'?` : '';
};

/** An option that is not known or that can't work is a mistake of the program. `undefined` is not given. */
export const refuseOptions = <Options extends object>(options: Options, rules: Rules<Options>): void => {
  const known = new Map<string, Rule>(Object.entries(rules));
  for (const [name, value] of Object.entries(options)) {
    const rule = known.get(name);
    if (!rule) throw new TypeError(`the option '${name}' is not known${meantBy(name, rules)}`);
    const fault = value === undefined ? undefined : faultOf(rule, value);
    if (fault) throw new TypeError(`the option '${name}' must be ${fault}`);
  }
};
