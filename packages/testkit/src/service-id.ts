import { createHash } from 'node:crypto';

const digits = 24;

/** A service id for a person of a test, in the order of the names; up to twelve letters, they can be read in it. */
export const serviceId = (name: string): string => {
  const hex = Buffer.from(name).toString('hex');
  return hex.length > digits
    ? createHash('sha256').update(name).digest('hex').slice(0, digits)
    : hex.padEnd(digits, '0');
};
