import type { Redis } from 'ioredis';
import type { Db } from './mongo.ts';
import { deadLetters } from './queue-state.ts';
import type { Balance } from './reconcile.ts';

/** Requests that became dead letters about deleted people only: the letters are gone with the people, the marks are not. */
export const erasedLetters = async (mongo: Db, redis: Redis): Promise<number> => {
  const letters = new Set((await deadLetters(redis)).map(({ id }) => id));
  const failed = await mongo.collection<{ _id: string }>('requests').find({ state: 'failed' }).toArray();
  return failed.filter(({ _id }) => !letters.has(_id)).length;
};

/** What is nowhere, apart from those. */
export const besides = (balance: Balance, erased: number): Balance => ({
  ...balance,
  difference: balance.difference - erased,
});
