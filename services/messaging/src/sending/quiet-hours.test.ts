import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { quietUntil } from './quiet-hours.ts';

const night = { from: '22:00', to: '08:00' };
const noon = { from: '12:00', to: '13:00' };

it.each([
  [night, '2026-06-01T21:59:00Z', 'UTC', undefined],
  [night, '2026-06-01T22:00:30Z', 'UTC', '2026-06-02T08:00:00.000Z'],
  [night, '2026-06-02T07:59:00Z', 'UTC', '2026-06-02T08:00:00.000Z'],
  [night, '2026-06-02T08:00:00Z', 'UTC', undefined],
  [noon, '2026-06-01T12:30:00Z', 'UTC', '2026-06-01T13:00:00.000Z'],
  [noon, '2026-06-01T13:30:00Z', 'UTC', undefined],
  [night, '2027-03-27T23:30:00Z', 'Europe/Berlin', '2027-03-28T06:00:00.000Z'],
  [night, '2027-03-28T02:00:00Z', 'Europe/Berlin', '2027-03-28T06:00:00.000Z'],
  [night, '2026-10-24T22:30:00Z', 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
  [night, '2026-07-01T21:15:42Z', 'Europe/Berlin', '2026-07-02T06:00:00.000Z'],
  // By half an hour.
  [night, '2026-10-03T13:00:00Z', 'Australia/Lord_Howe', '2026-10-03T21:00:00.000Z'],
  [night, '2026-07-02T06:00:00Z', 'Europe/Berlin', undefined],
])('%j, at %s in %s they last until %s', (hours, at, zone, until) => {
  expect(quietUntil(new Date(at), hours, zone)?.toISOString()).toBe(until);
});

it('the end that a day does not have is when its clock goes on, and of one that it has twice the first', () => {
  const until = (at: string, to: string) =>
    quietUntil(new Date(at), { from: '22:00', to }, 'Europe/Berlin')?.toISOString();
  expect(until('2027-03-28T00:30:00Z', '02:30')).toBe('2027-03-28T01:00:00.000Z');
  expect(until('2026-10-24T23:00:00Z', '02:30')).toBe('2026-10-25T00:30:00.000Z');
});

const minuteMs = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** The clocks of a zone are put forward or back: minutes since 1970, and minutes ahead of UTC. */
interface Change {
  zone: string;
  minute: number;
  before: number;
  after: number;
}

const aheadIn = (zone: string, minute: number): number =>
  Temporal.Instant.fromEpochMilliseconds(minute * minuteMs).toZonedDateTimeISO(zone).offsetNanoseconds /
  (minuteMs * 1e6);

/** The first minute after the change. */
const minuteOfChange = (zone: string, first: number, last: number): number => {
  const before = aheadIn(zone, first);
  let [low, high] = [first, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (aheadIn(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

/** Of all zones in a year; those that change at one moment in one way stand for each other. */
const changesOfClocks = (): Change[] => {
  const start = Date.UTC(2027, 0, 1) / minuteMs;
  const weeks = Array.from({ length: 53 }, (_, n) => start + n * 7 * dayMinutes);
  const changes = new Map<string, Change>();
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const ahead = weeks.map((minute) => aheadIn(zone, minute));
    for (const [n, minute] of weeks.entries()) {
      const [before, after] = [ahead[n], ahead[n + 1]];
      const name = `${n} ${before} ${after}`;
      if (before === undefined || after === undefined || before === after || changes.has(name)) continue;
      changes.set(name, {
        ...{ zone, before, after },
        minute: minuteOfChange(zone, minute, minute + 7 * dayMinutes),
      });
    }
  }
  return [...changes.values()];
};

/** What a clock there shows, so many minutes after the change. */
const shownAt = ({ minute, before, after }: Change, offset: number): string => {
  const local = (minute + offset + (offset < 0 ? before : after)) % dayMinutes;
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${two(Math.floor(local / hourMinutes))}:${two(local % hourMinutes)}`;
};

/** The rule by itself: a minute after the other. */
const slowly = (change: Change, at: number, from: string, to: string): number | undefined => {
  const isQuiet = (clock: string): boolean =>
    from <= to ? clock >= from && clock < to : clock >= from || clock < to;
  let minute = at;
  while (isQuiet(shownAt(change, minute))) minute += 1;
  return minute === at ? undefined : minute;
};

const clock = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), quarter: fc.constantFrom('00', '15', '30', '45') })
  .map(({ hour, quarter }) => `${String(hour).padStart(2, '0')}:${quarter}`);

it('around each change of the clocks of all zones they end when a look at each minute says so', () => {
  const changes = changesOfClocks();
  expect(changes.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(
      fc.constantFrom(...changes),
      clock,
      clock,
      fc.integer({ min: -1500, max: 300 }),
      (change, from, to, offset) => {
        const until = quietUntil(new Date((change.minute + offset) * minuteMs), { from, to }, change.zone);
        expect(until && until.getTime() / minuteMs - change.minute).toBe(slowly(change, offset, from, to));
      },
    ),
    { numRuns: 3000 },
  );
});
