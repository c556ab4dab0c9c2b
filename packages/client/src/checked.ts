/** Options that can never pass are refused before anything is sent. What was given is not repeated: it may be a secret. */

/** Address without a slash at its end. */
export const urlOf = (given: unknown): string => {
  let url: URL | undefined;
  try {
    url = new URL(String(given));
  } catch {
    // Told below.
  }
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError("the option 'url' must be an address such as https://roster.example.com");
  if (url.username + url.password + url.search + url.hash !== '')
    throw new TypeError("the option 'url' must not hold a user, a query or a fragment");
  return url.href.replace(/[?#/]+$/, '');
};

/** A secret as it stands in a header. */
export const secretOf = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw new TypeError(`the option '${name}' must be a text`);
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new TypeError(`the option '${name}' has a character that no header may have`);
  return value;
};

/** Throws for a header that no request can carry; `fetch` would repeat its value in its error. */
export const refuseHeaders = (headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers({ [name]: value });
    } catch {
      throw new TypeError(`the header '${name}' has a character that no header may have`);
    }
};

/** Throws for an option that is none, or is misspelt: it would be without effect. */
export const refuseOthers = (others: object): void => {
  for (const name of Object.keys(others)) throw new TypeError(`the option '${name}' is not known`);
};

/** Of an option in seconds or as a count: more than nothing. */
export const positive = (name: string, value: number): number => {
  if (value > 0) return value;
  throw new TypeError(`the option '${name}' must be more than 0`);
};
