/** Whole numbers that a double does not hold are a `bigint`: they are compared and written digit by digit. Who calculates with them calculates with doubles. */
import { randomBytes } from 'node:crypto';
import { type FilterImplOptions, Tokenizer } from 'liquidjs';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

/** Up to 64 bits. Fewer digits fit a double; more of them take the longer to read. */
const longWhole = /^[+-]?\d{16,19}$/;

const { readNumber } = Tokenizer.prototype;

/** What a template writes in digits, as `{% if custom_attribute.${id} == 9007199254740993 %}`. */
Tokenizer.prototype.readNumber = function () {
  const token = readNumber.call(this);
  const text = token?.getText() ?? '';
  if (token && longWhole.test(text) && !Number.isSafeInteger(token.content))
    // liquidjs takes it as it is.
    token.content = BigInt(text) as unknown as number;
  return token;
};

const asDouble = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** `+` of JavaScript takes no `bigint`. */
export const withDoubles = (handler: Handler): Handler =>
  function (value, ...args) {
    return handler.call(this, asDouble(value), ...args.map(asDouble));
  };

/** No text of a template looks like it. */
const mark = randomBytes(9).toString('base64url');
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g');

/** For filters that write JSON: it has no `bigint` of itself. */
export const withDigits = (handler: Handler): Handler =>
  function (value, ...args) {
    let isMarked = false;
    const toJSON = function (this: bigint): string {
      isMarked = true;
      return `${mark}${this}`;
    };
    Object.defineProperty(BigInt.prototype, 'toJSON', { value: toJSON, configurable: true });
    try {
      const written: unknown = handler.call(this, value, ...args);
      return isMarked ? String(written).replaceAll(marked, '$1') : written;
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON');
    }
  };
