/** No pattern can be made to take long, whatever is sent. */
import {
  country,
  isCurrency,
  isDate,
  isEmail,
  normalizePhone,
  operations,
  parseTime,
  timeZone,
} from '@roster/contract';
import { openapi } from '@roster/openapi';

/** Long runs of what a careless pattern would try in every combination. */
const runs = [...'aA01 -.@:+/_é\t()TZ', 'a.', 'a@', '0-', ' 0', '00:'];
const adversarial = runs.flatMap((run) => {
  const long = run.repeat(Math.ceil(50_000 / run.length));
  return [long, `${long}!`, `!${long}`, `2026-01-01T00:00:00${long}`, `a@${long}`, `+1${long}`];
});

const msOf = (work: () => unknown): number => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

/** The best of a few: this is about the pattern, not about a busy machine. */
const fastest = (work: () => unknown): number => {
  const first = msOf(work);
  return first < 10 ? first : Math.min(first, msOf(work), msOf(work));
};

const patternsIn = (node: unknown): string[] => {
  if (Array.isArray(node)) return node.flatMap(patternsIn);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string'
      ? [value]
      : name === 'patternProperties' && value
        ? [...Object.keys(value), ...patternsIn(Object.values(value))]
        : patternsIn(value),
  );
};

const formats = { parseTime, isDate, isEmail, normalizePhone, country, timeZone, isCurrency };

it.each(Object.entries<(text: string) => unknown>(formats))(
  '%s answers within 10 ms, whatever it is given',
  (_, format) => {
    for (const text of adversarial) expect(fastest(() => format(text))).toBeLessThan(10);
  },
);

it('holds for every pattern of the served document', () => {
  const patterns = [...new Set(patternsIn(openapi(operations)))];
  for (const pattern of patterns) {
    const made = new RegExp(pattern, 'u');
    for (const text of adversarial) expect(fastest(() => made.test(text))).toBeLessThan(10);
  }
});

it('would notice one that explodes', () => {
  expect(msOf(() => /^(a+)+$/.test(`${'a'.repeat(24)}!`))).toBeGreaterThan(10);
});
