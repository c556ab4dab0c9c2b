/** How `{"$add", "$update", "$remove"}` is read. It has been judged; an order that is still malformed is ignored as a whole. */
import { isNested, type Nested } from '../fold/nested.ts';
import type { ObjectsChange, Value } from '../profile.ts';
import type { Reading } from './reading.ts';
import { withTimes } from './reading-times.ts';

export interface ObjectsRead {
  objects?: ObjectsChange;
  hasUnknown: boolean;
}

type Remove = NonNullable<ObjectsChange['remove']>[number];
type Update = NonNullable<ObjectsChange['update']>[number];

const whichOf = ({ $identifier_key: key, $identifier_value: value }: Nested): Remove | undefined =>
  typeof key === 'string' && value !== undefined ? { key, value } : undefined;

const updateOf = (order: Nested): Update | undefined => {
  const which = whichOf(order);
  return which && isNested(order.$new_object) ? { ...which, with: order.$new_object } : undefined;
};

/** `undefined` when there is none; `null` when one of them is no such order. */
const ordersIn = <Order>(value: Value | undefined, orderOf: (object: Nested) => Order | undefined) => {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every(isNested)) return null;
  const orders = value.map(orderOf).filter((order) => order !== undefined);
  return orders.length === value.length ? orders : null;
};

export const readObjectsChange = (sent: Nested, read: Reading, merge: boolean): ObjectsRead => {
  const { value, hasUnknown } = withTimes(sent, read);
  const { $add, $remove, $update }: Nested = isNested(value) ? value : {};
  const add = ordersIn($add, (object) => object);
  const remove = ordersIn($remove, whichOf);
  const update = ordersIn($update, updateOf);
  if (add === null || remove === null || update === null) return { hasUnknown };
  const objects = {
    ...(add && { add }),
    ...(remove && { remove }),
    ...(update && { update, ...(merge && { merge }) }),
  };
  return { objects, hasUnknown };
};
