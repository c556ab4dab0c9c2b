/** A question and its answer in JSON, as the interfaces of warehouses have them. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SourceError } from '../source-error.ts';
import { type Answer, exchange, type Question } from './exchange.ts';

const unzip = promisify(gunzip);

const textOf = async ({ headers, body }: Answer, { mostBytes, url }: Question): Promise<string> => {
  if (headers['content-encoding'] !== 'gzip') return body.toString('utf8');
  try {
    return (await unzip(body, { maxOutputLength: mostBytes })).toString('utf8');
  } catch {
    throw new SourceError('not_this_protocol', `${url.host} sends more than it was asked for, or no gzip`);
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `value` is undefined where the answer is no JSON. */
export const exchangeJson = async (question: Question): Promise<{ status: number; value: unknown }> => {
  const answer = await exchange({
    ...question,
    headers: { accept: 'application/json', 'user-agent': 'roster', ...question.headers },
  });
  return { status: answer.status, value: parsed(await textOf(answer, question)) };
};

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const listOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

/** Rows as lists of texts and nulls. */
export const textRows = (data: unknown): readonly (readonly (string | null)[])[] =>
  listOf(data).map((row) => listOf(row).map((cell) => (typeof cell === 'string' ? cell : null)));
