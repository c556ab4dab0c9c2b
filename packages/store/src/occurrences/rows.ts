/** Rows as they are stored and as they are read. */
import type { WithRequest } from '../models/occurrences.ts';
import { type KeyParts, keyOf, partsOf } from './key.ts';

/** @public The declarations of open-store.ts name it. */
export interface Stored {
  _id: Buffer;
}

export const storedOf = <Row extends KeyParts>(row: WithRequest<Row>): Stored => {
  const { profile: _p, time: _t, at: _a, request: _r, index: _i, ...rest } = row;
  return { _id: keyOf(row), ...rest };
};

export const rowOf = <Row extends KeyParts>({ _id, ...rest }: Stored): Row =>
  ({ ...partsOf(_id), ...rest }) as unknown as Row;
