import type { Secrets } from '@roster/secrets';
import { createPhoneUrls } from './phone/urls.ts';
import { createSigned } from './signed.ts';

const [former, next] = ['the secret of before', 'the secret that comes'];
const until = new Date('2027-03-01');
const also = (secret: string, day = until) => [{ secret, until: day }];

/** In the order of a rotation. */
const steps = {
  before: former,
  first: { makes: former, others: also(next) },
  second: { makes: next, others: also(former) },
  after: next,
} satisfies Record<string, Secrets>;

const at = (moment: Date, secrets: Secrets, purpose = 'a test') =>
  createSigned(secrets, purpose, () => moment.getTime());
const day = new Date('2027-02-01');

describe('what was signed', () => {
  // Processes are restarted one after another: two neighbours of the list run at the same time.
  it.each([
    ['before', 'first'],
    ['first', 'second'],
    ['second', 'after'],
  ] as const)('is read both ways by processes %s and %s', (one, other) => {
    const [here, there] = [at(day, steps[one]), at(day, steps[other])];
    expect(there.read(here.sign({ a: 1 }))).toEqual({ a: 1 });
    expect(here.read(there.sign({ a: 1 }))).toEqual({ a: 1 });
  });

  it('is not read where the other secret is not known', () => {
    expect(at(day, next).read(at(day, former).sign(1))).toBeUndefined();
    expect(at(day, former).read(at(day, next).sign(1))).toBeUndefined();
  });

  it('with another secret is read until its date, and known as past from then on', () => {
    const text = at(day, former).sign('kept');
    const [last, over] = [at(new Date(until.getTime() - 1), steps.second), at(until, steps.second)];
    expect(last.read(text)).toBe('kept');
    expect(over.read(text)).toBeUndefined();
    expect([over.isPast(text), over.isPast(`${text}x`), at(until, next).isPast(text)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(over.read(over.sign('new'))).toBe('new');
  });

  it('for one purpose is worth nothing for another, whatever secret signed it', () => {
    expect(at(day, steps.second, 'other').read(at(day, former).sign(1))).toBeUndefined();
    expect(at(day, steps.second, 'other').isPast(at(day, former).sign(1))).toBe(false);
  });
});

it('the address that a provider was given is read until the date of its secret', () => {
  const call = { ws: 'shop', app: 'app', channel: 'sms' } as const;
  const url = createPhoneUrls(former).url('https://p.example.com', call);
  const read = (moment: Date) =>
    createPhoneUrls(steps.second, () => moment.getTime()).read(url.slice(url.lastIndexOf('/') + 1));
  expect(read(day)).toMatchObject(call);
  expect(read(until)).toBeUndefined();
});
