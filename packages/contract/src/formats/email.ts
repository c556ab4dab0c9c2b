import { isCleanText } from './text.ts';

const LONGEST = 254;
const LONGEST_LOCAL = 64;

// Linear: each character class is followed by something it does not hold.
const local = /^[^\s@"(),:;<>[\\\]\p{Cc}]+$/u;
const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?$/u;

/** An address that mail could be sent to over the internet; no quoted names, no comments, no bare hosts. */
export function isEmail(text: string): boolean {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  if (at < 1 || at > LONGEST_LOCAL || address.length > LONGEST || !isCleanText(address)) return false;
  return local.test(address.slice(0, at)) && isDomain(address.slice(at + 1));
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || top.length < 2 || /^\d+$/.test(top)) return false;
  return labels.every((part) => part.length <= 63 && label.test(part));
}
