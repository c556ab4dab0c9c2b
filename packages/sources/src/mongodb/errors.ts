/** What MongoDB says is wrong, in words. */
import {
  MongoAPIError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { networkError, timedOut, wasLost } from '../network-errors.ts';
import { bad, inWords, SourceError, type Words } from '../source-error.ts';

const denied: Words<string> = [
  'access_denied',
  (at) => `${at} does not let this user in: wrong user or password`,
];

/** https://www.mongodb.com/docs/manual/reference/error-codes/ */
const byNumber: Readonly<Record<number, Words<string>>> = {
  11: denied,
  13: ['access_denied', () => 'the user may not read this collection'],
  18: denied,
  26: ['table_missing', () => 'the collection is gone'],
  50: [
    'time_limit',
    () => 'the read took longer than its time limit: an index on the fields of UPDATED_AT and tie helps',
  ],
};

/** Of a message whose length is none, and of one that is no BSON. */
const noMessage: ReadonlySet<string> = new Set(['MongoError', 'BSONError', 'BSONRuntimeError', 'RangeError']);

export const toSourceError = (error: unknown, at: string): SourceError => {
  if (error instanceof SourceError) return error;
  if (error instanceof MongoServerError) {
    const code = Number(error.code);
    const words = byNumber[code] ?? ['server_error', () => `MongoDB answers with error ${code}`];
    return inWords(words, at);
  }
  const network = networkError(error, at);
  if (network) return network;
  if (error instanceof MongoServerSelectionError || error instanceof MongoOperationTimeoutError)
    return timedOut(at);
  if (error instanceof MongoNetworkError) return wasLost(at);
  if (error instanceof MongoAPIError) return bad('the URL is none that the driver of MongoDB can read');
  const name = error instanceof Error ? error.name : typeof error;
  if (error instanceof MongoParseError || noMessage.has(name))
    return new SourceError('not_this_protocol', `what answers at ${at} is not MongoDB`);
  return new SourceError('server_error', `the driver of MongoDB says ${name}`);
};
