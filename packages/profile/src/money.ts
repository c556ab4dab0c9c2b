/** Exact money: decimal texts, never sums of floating numbers. */

/** `digits` times ten to the power of `-scale`. */
interface Decimal {
  digits: bigint;
  scale: number;
}

/** Bounded, so that no text can ask for a number of a million digits. */
const form = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i;

const zero: Decimal = { digits: 0n, scale: 0 };

const decimalOf = (text: string): Decimal | undefined => {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
};

const textOf = ({ digits, scale }: Decimal): string => {
  const sign = digits < 0n ? '-' : '';
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const point = all.length - scale;
  const fraction = all.slice(point).replace(/0+$/, '');
  return sign + all.slice(0, point) + (fraction === '' ? '' : `.${fraction}`);
};

const plus = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale);
  const scaled = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  return { digits: scaled(a) + scaled(b), scale };
};

/**
 * Price times quantity times rate, exactly. The price counts as the shortest decimal for this number, which is the text that was sent:
 * 0.1 is a tenth. `undefined` when one of them is no number.
 */
export const revenueOf = (price: number, quantity: number, rate: string): string | undefined => {
  const [a, b, c] = [String(price), String(quantity), rate].map(decimalOf);
  return (
    a && b && c && textOf({ digits: a.digits * b.digits * c.digits, scale: a.scale + b.scale + c.scale })
  );
};

/** Only results of `revenueOf` are summed up: any other text is a bug, and must show. */
export const sumOf = (texts: Iterable<string>): string => {
  let sum = zero;
  for (const text of texts) {
    const decimal = decimalOf(text);
    if (!decimal) throw new TypeError('cannot add money: a text is not a decimal number');
    sum = plus(sum, decimal);
  }
  return textOf(sum);
};
