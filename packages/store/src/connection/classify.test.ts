import mongoose from 'mongoose';
import { classify, isEnded, isTooLarge } from './classify.ts';

const { MongoInvalidArgumentError, MongoServerError, MongoNetworkError } = mongoose.mongo;
const server = (code: number, errorLabels: string[] = []) =>
  new MongoServerError({ message: 'no', code, errorLabels });
const selection = () => Object.assign(new Error('nobody'), { name: 'MongoServerSelectionError' });

describe('an error', () => {
  it.each([
    ['a write conflict', server(112)],
    ['no primary', server(10107)],
    ['a transient transaction error', server(20, ['TransientTransactionError'])],
    ['a retryable write error', server(1, ['RetryableWriteError'])],
    ['an unknown commit', server(1, ['UnknownTransactionCommitResult'])],
    ['a lost connection', new MongoNetworkError('gone')],
    ['nobody to select', selection()],
  ])('of %s passes', (_, error) => {
    expect(classify(error)).toBe('passing');
  });

  it.each(['Use of expired sessions is not permitted', 'Cannot use a session that has ended'])(
    'of a transaction that was ended is known inside a bulk write, too: %s',
    (message) => {
      const named = (name: string) => Object.assign(new Error(message), { name });
      expect(isEnded(named('MongoExpiredSessionError'))).toBe(true);
      expect(isEnded(named('MongoBulkWriteError'))).toBe(true);
      expect(isEnded(Object.assign(new Error('no'), { name: 'MongoBulkWriteError' }))).toBe(false);
    },
  );

  it('of a duplicate key passes a few times', () => {
    expect(classify(server(11000))).toBe('duplicate');
    expect(classify(server(11000, ['TransientTransactionError']))).toBe('passing');
  });

  it.each([2, 9, 14, 15, 28, 40, 56, 121])('with code %i is permanent', (code) => {
    expect(classify(server(code))).toBe('permanent');
  });

  it('of the encoding is permanent', () => {
    expect(classify(new mongoose.mongo.BSON.BSONError('no'))).toBe('permanent');
  });

  it('of a document that is too large is permanent, in the driver and in the server', () => {
    const all = [
      server(10334),
      server(17419),
      Object.assign(new RangeError('too big'), { code: 'ERR_OUT_OF_RANGE' }),
      new MongoInvalidArgumentError('Document is larger than the maximum size 16777216'),
    ];
    expect(all.map(classify)).toEqual(all.map(() => 'permanent'));
    expect(all.every(isTooLarge)).toBe(true);
    expect(isTooLarge(server(2))).toBe(false);
    expect(isTooLarge(new MongoInvalidArgumentError('no'))).toBe(false);
  });

  it.each([new Error('?'), 'text', undefined, null, server(8000)])(
    'of another kind is unknown: %p',
    (error) => {
      expect(classify(error)).toBe('unknown');
    },
  );
});
