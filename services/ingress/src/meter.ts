/** Takes the price of a request from the points of its workspace: first what reading costs, then the rest when it is known. */
import { limitFor } from '@roster/access';
import { Rejection, rejectionWithRetry, work } from '@roster/contract';
import type { Limiter, Standing } from './limiter.ts';
import type { Passage } from './passage.ts';
import type { Scope } from './scope.ts';

const points = (count: number): string => `${count.toLocaleString('en-US')} point${count === 1 ? '' : 's'}`;

const tooCostly = (price: number, { limit }: Standing, seconds: number): Rejection =>
  new Rejection('REQUEST_TOO_COSTLY', {
    message: `The request costs ${points(price)}, more than the ${points(limit)} that the workspace has in ${seconds} seconds`,
  });

const usedUp = (price: number, { limit, reset }: Standing, seconds: number): Rejection => {
  const message = `The request costs ${points(price)}, and the workspace has used up its ${points(limit)} of ${seconds} seconds`;
  return rejectionWithRetry('WORK_LIMITED', reset - Date.now() / 1000, message);
};

/** Raises what the request has paid to `price`; throws when the workspace can't pay. */
export type Pay = (scope: Scope, passage: Passage, price: number) => void | Promise<void>;

export const createMeter =
  (limiter: Limiter): Pay =>
  (scope, passage, price) => {
    const due = price - passage.price;
    if (due <= 0) return;
    const rate = limitFor(scope, work);
    const settle = (standing: Standing): void => {
      passage.work = standing;
      passage.price = price;
      if (standing.ok) return;
      throw price > rate.requests
        ? tooCostly(price, standing, rate.seconds)
        : usedUp(price, standing, rate.seconds);
    };
    const standing = limiter.take(scope.id, rate.pool, rate, due);
    if (standing instanceof Promise) return standing.then(settle);
    settle(standing);
  };

/** Nothing costs anything: for the trial that has to see what that would mean. */
export const free: Pay = () => {};
