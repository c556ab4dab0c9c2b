import { timedOut } from '../network-errors.ts';
import type { Session } from './protocol.ts';

/** A peer that never answers is dropped. */
export const within = async <T>(
  ms: number,
  at: string,
  { drop }: Session,
  work: () => Promise<T>,
): Promise<T> => {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, ms);
  try {
    return await work();
  } catch (error) {
    drop();
    throw isLate ? timedOut(at) : error;
  } finally {
    clearTimeout(timer);
  }
};
