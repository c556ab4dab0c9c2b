/** Exact money: decimal texts, never sums of floating numbers. */

import { decimalOf, plus, textOf, times, zero } from './decimal.ts';

/**
 * Price times quantity times rate, exactly. The price counts as the shortest decimal for this number, which is the text that was sent:
 * 0.1 is a tenth. `undefined` when one of them is no number.
 */
export const revenueOf = (price: number, quantity: number, rate: string): string | undefined => {
  const factors = [String(price), String(quantity), rate].map(decimalOf);
  const [first, second, third] = factors;
  return first && second && third ? textOf(times(times(first, second), third)) : undefined;
};

/** Only results of `revenueOf` are summed up: any other text is a bug, and must show. */
export const sumOf = (texts: Iterable<string>): string => {
  let sum = zero;
  for (const text of texts) {
    const decimal = decimalOf(text);
    if (!decimal) throw new TypeError('a sum of money was asked of something that is no decimal number');
    sum = plus(sum, decimal);
  }
  return textOf(sum);
};
