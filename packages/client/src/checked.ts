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
