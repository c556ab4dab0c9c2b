/** From the bytes of a body to its value. */
import { isUtf8 } from 'node:buffer';
import { type BodyShape, bodyShapeFault, parseExact, Rejection } from '@roster/contract';
import type { Breath } from './breath.ts';
import { scan } from './scan.ts';

/** A body as it was sent and as it was understood. */
export interface Body {
  bytes: Buffer;
  value: unknown;
  shape: BodyShape;
  /** It holds numbers that a double does not hold. */
  exact?: boolean;
  breath: Breath;
}

export type Bounds = (shape: BodyShape) => Rejection | undefined;

/** Counts first: the parser would take the longer the more a body holds. */
export const counted = (bytes: Buffer, fault: Bounds = bodyShapeFault): BodyShape => {
  if (!isUtf8(bytes)) throw new Rejection('BODY_NOT_JSON');
  const shape = scan(bytes);
  const rejection = fault(shape);
  if (rejection) throw rejection;
  return shape;
};

/** `exactly`: whole numbers are kept digit by digit; it takes two passes more. */
export const parsed = (bytes: Buffer, exactly = false): unknown => {
  try {
    return exactly ? parseExact(bytes) : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Rejection('BODY_NOT_JSON');
  }
};
