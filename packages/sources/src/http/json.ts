/** Questions and answers in JSON. What an answer holds is not known before it is looked at. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SourceError } from '../source-error.ts';
import { type Answer, exchange, type Question } from './exchange.ts';

const unzip = promisify(gunzip);

/** Some servers zip their answers unasked. */
const textOf = async ({ headers, body }: Answer, { mostBytes, url }: Question): Promise<string> => {
  if (headers['content-encoding'] !== 'gzip') return body.toString('utf8');
  try {
    return (await unzip(body, { maxOutputLength: mostBytes })).toString('utf8');
  } catch {
    throw new SourceError('not_this_protocol', `${url.host} sends more than it was asked for, or no gzip`);
  }
};

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `value` is undefined where the answer is no JSON. */
export const exchangeJson = async (
  question: Question,
): Promise<{ readonly status: number; readonly value: unknown }> => {
  const answer = await exchange(question);
  return { status: answer.status, value: parsed(await textOf(answer, question)) };
};
