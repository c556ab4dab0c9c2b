/** What is wrong with the token of a caller, as far as the caller may know it. It repeats nothing that was sent. */
import { bearerIn, parseKey } from './key.ts';
import { parseScimToken } from './scim-token.ts';

const kinds = {
  key: {
    parse: parseKey,
    start: 'rk_',
    is: 'an API key',
    other: 'this is a SCIM token, which is for /scim/v2 only',
    parseOther: parseScimToken,
    unknown: 'it is unknown here, expired or revoked',
  },
  scim: {
    parse: parseScimToken,
    start: 'rs_',
    is: 'a SCIM token',
    other: 'this is an API key, which is for everything but /scim/v2',
    parseOther: parseKey,
    unknown: 'it is unknown here, expired, revoked, or for another origin',
  },
} as const;

export const whyInvalid = (kind: keyof typeof kinds, authorization: string | undefined): string => {
  const { parse, start, is, other, parseOther, unknown } = kinds[kind];
  if (!authorization?.trim()) return `none was sent. Send the header Authorization: Bearer ${start}...`;
  const text = bearerIn(authorization);
  if (text === '') return `the header Authorization must read Bearer ${start}...`;
  if (parse(text)) return unknown;
  if (parseOther(text)) return other;
  if (text.startsWith(start)) return 'it is not whole, or a letter of it is wrong';
  return `this is another kind of token: ${is} begins with ${start}`;
};
