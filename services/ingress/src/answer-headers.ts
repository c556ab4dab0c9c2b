/** The headers of an answer. */
import type { Reply } from '@roster/queue';
import type { Standing } from './limit-window.ts';
import type { Linger } from './linger.ts';

/** The answer to the caller. The memory of a long answer is freed when the caller has it or is gone. */
export type Answer = Omit<Reply, 'sent'>;

/** Facts about the request that decide the headers of the answer and how it ends. */
export interface Asked {
  id: string;
  standing?: Standing | undefined;
  /** The price of the request in points, and the points that the workspace has left. */
  price?: number;
  work?: Standing | undefined;
  closing: boolean;
  /** How an early answer is ended; without it, the rest of the request is cut off. */
  linger?: Linger | undefined;
}

export type Headers = Record<string, string | number>;

export const rateHeaders = ({ limit, remaining, reset }: Standing, into: Headers): void => {
  into['X-RateLimit-Limit'] = limit;
  into['X-RateLimit-Remaining'] = remaining;
  into['X-RateLimit-Reset'] = reset;
};

export const priceHeaders = (price: number, { remaining, reset }: Standing, into: Headers): void => {
  into['X-Roster-Price'] = price;
  into['X-Roster-Work-Remaining'] = remaining;
  into['X-Roster-Work-Reset'] = reset;
};

export const lengthOf = ({ body, rest = [] }: Answer): number =>
  Buffer.byteLength(body) + rest.reduce((sum, { length }) => sum + length, 0);
