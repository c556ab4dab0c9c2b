/** Tokens by which an app proves to a provider who it is: signed (RFC 7519), and kept until shortly before their end. */
import { createHash } from 'node:crypto';
import { remember } from '@roster/contract';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const signedToken = (head: object, claims: object, sign: (text: Buffer) => Buffer): string => {
  const text = `${encoded(head)}.${encoded(claims)}`;
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`;
};

/** Of all apps. */
const mostKept = 1000;

/** A name of credentials that is made of all of them: who writes down the email or the id of another account shares nothing with it. */
export const nameOf = (credentials: readonly string[]): string => digestOf(JSON.stringify(credentials));

const digestOf = remember((text): string => createHash('sha256').update(text).digest('base64'), mostKept);

export const createKeptTokens = () => {
  const kept = new Map<string, { token: string; until: number }>();
  return {
    at(name: string, now: number): string | undefined {
      const known = kept.get(name);
      return known && now < known.until ? known.token : undefined;
    },
    keep(name: string, token: string, until: number): void {
      if (kept.size >= mostKept) kept.clear();
      kept.set(name, { token, until });
    },
    /** It was not taken: the next push has another one. */
    drop(name: string, token: string): void {
      if (kept.get(name)?.token === token) kept.delete(name);
    },
  };
};

export type KeptTokens = ReturnType<typeof createKeptTokens>;
