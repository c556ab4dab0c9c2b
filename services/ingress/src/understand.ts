/** From the bytes of a body to its value. The steps of a large body have pauses between them, in which other requests go on. */
import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BodyShape, bodyShapeFault, parseExact, Rejection } from '@roster/contract';
import { smallBody } from './rooms.ts';
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

/** The time of the others: after each step of a large body. */
export interface Breath {
  pause(): void | Promise<void>;
  /** After the last step: the next large body may begin when this is called. */
  end(next: () => void): void;
}

const mostRestMs = 50;

/**
 * As long as the step took: a small request needs several turns of the event loop. With one turn between two steps it would wait for all
 * steps, and for those of the next large bodies.
 */
export const createBreath = ({ length }: Buffer): Breath => {
  if (length <= smallBody) return { pause: () => {}, end: (next) => next() };
  let since = performance.now();
  const restMs = (): number => Math.min(mostRestMs, performance.now() - since);
  return {
    async pause() {
      await sleep(restMs());
      since = performance.now();
    },
    end: (next) => void setTimeout(next, restMs()),
  };
};

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
