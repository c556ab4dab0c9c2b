/** Takes the price of a request from the points of its workspace: first the price of reading, then the rest when it is known. */
import { limitFor } from '@roster/access';
import { Rejection, rejectionWithRetry, work } from '@roster/contract';
import type { CountPoints } from '@roster/runtime';
import type { Standing } from './limit-window.ts';
import type { Limiter } from './limiter.ts';
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

/** Charges the request up to `price`; throws when the workspace can't pay. */
export type Pay = (scope: Scope, passage: Passage, price: number) => void | Promise<void>;

export const createMeter =
  (limiter: Limiter, onPaid: CountPoints): Pay =>
  (scope, passage, price) => {
    const due = price - passage.price;
    if (due <= 0) return;
    const rate = limitFor(scope, work);
    const settle = (standing: Standing): void => {
      passage.work = standing;
      passage.price = price;
      if (!standing.ok) {
        const refusal = price > rate.requests ? tooCostly : usedUp;
        throw refusal(price, standing, rate.seconds);
      }
      onPaid(scope.id, due);
    };
    const standing = limiter.take(scope.id, rate.pool, rate, due);
    if (standing instanceof Promise) return standing.then(settle);
    settle(standing);
  };

/** All requests are free: for a trial that shows the effect. */
export const free: Pay = () => {};
