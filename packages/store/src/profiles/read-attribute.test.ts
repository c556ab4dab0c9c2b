import { type CustomAttribute, storedBytes } from '@roster/profile';
import mongoose from 'mongoose';
import { exactly } from '../connection/db.ts';
import { readAttribute } from './read-attribute.ts';

const { serialize, deserialize } = mongoose.mongo.BSON;
const packed = (attribute: object): Buffer => Buffer.from(serialize(attribute));

const objects: CustomAttribute['v'][] = Array.from({ length: 500 }, (_, n) => ({
  n,
  long: 2n ** 60n,
  text: '"é',
}));
const large: CustomAttribute = {
  k: 'list',
  v: objects,
  at: 5,
  base: objects,
  steps: [{ at: 6, n: 0, inc: 1 }],
};

const isUnpacked = (attribute: object, name: string): boolean =>
  Object.getOwnPropertyDescriptor(attribute, name)?.get === undefined;

it.each([
  ['small', { k: 'colour', v: 'red', at: 5 }],
  ['large', large],
])('a %s attribute reads as it was stored', (_, attribute) => {
  const bytes = packed(attribute);
  expect({ ...readAttribute(bytes) }).toEqual(deserialize(bytes, exactly));
  const again = packed(readAttribute(bytes));
  expect(deserialize(again, exactly)).toEqual(deserialize(bytes, exactly));
  // It is found by its name, which stands first.
  expect(Object.keys(readAttribute(bytes))[0]).toBe('k');
});

it('a large part is unpacked once, when it is asked for', () => {
  const bytes = packed(large);
  const read = readAttribute(bytes);
  expect([read.k, read.at, read.steps]).toEqual(['list', 5, [{ at: 6, n: 0, inc: 1 }]]);
  expect(['v', 'base'].map((name) => isUnpacked(read, name))).toEqual([false, false]);
  bytes.fill(0);
  expect(read.v).toHaveLength(500);
  expect(read.v).toBe(read.v);
  expect(['v', 'base'].map((name) => isUnpacked(read, name))).toEqual([true, false]);
});

it('a copy does not say how many bytes it took', () => {
  const read = readAttribute(packed(large));
  expect(read[storedBytes]).toBe(packed(large).length);
  expect({ ...read }).not.toHaveProperty([storedBytes]);
});
