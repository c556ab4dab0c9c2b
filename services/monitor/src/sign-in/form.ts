/** Reads a form. A slow sender delays no other caller: nothing is reserved before the form is complete. */
import { withinTime } from '@roster/contract';
import type { Request } from 'express';

const longestForm = 4096;

export type SignInForm = { fields: URLSearchParams } | { status: 408 | 413; problem: string };

/** Nothing when it is too long. The connection is left to the answer. */
const textOf = async (request: Request): Promise<string | undefined> => {
  let text = '';
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.length > longestForm) return undefined;
  }
  return text;
};

const formOf = async (request: Request): Promise<SignInForm> => {
  const text = await textOf(request);
  if (text === undefined) return { status: 413, problem: 'This form is too long.' };
  return { fields: new URLSearchParams(text) };
};

const tooSlow: SignInForm = { status: 408, problem: 'This form came too slowly. Try again.' };
export const readForm = (request: Request, limitMs: number): Promise<SignInForm> =>
  withinTime(limitMs, formOf(request), () => tooSlow);
