/** Decimal numbers, exact. */

/** `digits` times ten to the power of `-scale`. */
interface Decimal {
  digits: bigint;
  scale: number;
}

/** Bounded, so that no text can ask for a number of a million digits. */
const form = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i;

export const zero: Decimal = { digits: 0n, scale: 0 };

export const decimalOf = (text: string): Decimal | undefined => {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
};

export const textOf = ({ digits, scale }: Decimal): string => {
  const sign = digits < 0n ? '-' : '';
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const point = all.length - scale;
  const fraction = all.slice(point).replace(/0+$/, '');
  return sign + all.slice(0, point) + (fraction === '' ? '' : `.${fraction}`);
};

export const times = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

export const plus = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale);
  const scaled = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  return { digits: scaled(a) + scaled(b), scale };
};
