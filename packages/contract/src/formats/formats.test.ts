import { inLongRuns } from '@roster/testkit';
import fc from 'fast-check';
import { wasCurrency } from './currency.ts';
import { isEmail } from './email.ts';
import { languageOf } from './language.ts';
import { normalizePhone } from './phone.ts';
import { remember } from './remember.ts';
import { timeZone } from './time-zone.ts';
import { timeZoneNames } from './time-zone-names.ts';

describe('normalizePhone', () => {
  it.each([
    ['+12125550123', '+12125550123'],
    ['2125550123', '+12125550123'],
    ['(212) 555-0123', '+12125550123'],
    ['+1 212 555 0123', '+12125550123'],
    ['+44 20 7946 0958', '+442079460958'],
    [' +49 (30) 901820 ', '+4930901820'],
    ['(+49) 30 123456', '+4930123456'],
    ['tel:+49 30 123456', '+4930123456'],
    ['tel: (212) 555-0123', '+12125550123'],
    ['+15005550006', '+15005550006'],
    ['+1 876 555 0123', '+18765550123'],
    ['+1 911 255 0123', '+19112550123'],
  ])('%s is %s', (text, expected) => {
    expect(normalizePhone(text)).toBe(expected);
  });

  it.each([
    '0301234567',
    '1301234567',
    '2120550123',
    '2121550123',
    '+1 0000000000',
    '1 1234567890',
    '(+1) 030 1234567',
    'tel:+1234',
    '+ 2125550123',
  ])('takes %j for no number of the countries of +1', (text) => {
    expect(normalizePhone(text)).toBeUndefined();
  });

  it.each([
    '',
    'phone',
    '12345',
    '+',
    '+999123456789',
    '442079460958',
    '12125550123',
    '1 212 555 0123',
    '212555012',
    '+1212555',
    `+1${'2'.repeat(80)}`,
  ])('refuses %j', (text) => {
    expect(normalizePhone(text)).toBeUndefined();
  });
});

describe('isEmail', () => {
  it.each([
    'ada@example.com',
    'a.b+c@sub.example.co.uk',
    ' Ada@Example.com ',
    "o'brien@example.ie",
    'ü@bücher.example',
    'x@xn--bcher-kva.example',
  ])('accepts %j', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example',
    'ada@@example.com',
    'a b@example.com',
    'ada@exa mple.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@127.0.0.1',
    'ada\0@example.com',
    '\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(200)}com`,
  ])('refuses %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it('answers at once for texts made to be slow', () => {
    const started = performance.now();
    isEmail(`a@${'a-'.repeat(100_000)}`);
    isEmail(`${' '.repeat(200_000)}x`);
    inLongRuns(() => expect(performance.now() - started).toBeLessThan(500));
  });
});

describe('a withdrawn currency', () => {
  it.each([
    ['HRK', '2022-06-01', true],
    ['HRK', '2024-01-01', false],
    ['VEF', '2017-01-01', true],
    ['VEF', '2020-01-01', false],
    ['DEM', '2001-12-31', true],
    ['DEM', '2010-01-01', false],
    ['XXX', '2001-12-31', false],
  ])('%s at %s is %s', (code, day, expected) => {
    expect(wasCurrency(code, Date.parse(day))).toBe(expected);
  });
});

describe('timeZone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Eastern Time (US & Canada)', 'America/New_York'],
    ['eastern time (us & canada)', 'America/New_York'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['US/Pacific', 'US/Pacific'],
    ['UTC', 'UTC'],
    ['Hawaii', 'Pacific/Honolulu'],
  ])('%s is %s', (text, expected) => {
    expect(timeZone(text)).toBe(expected);
  });

  it.each(['', 'Mars/Olympus', '+02:00', 'x'.repeat(100)])('%j is none', (text) => {
    expect(timeZone(text)).toBeUndefined();
  });

  it('maps every name to a zone that the runtime knows', () => {
    expect(Object.values(timeZoneNames).filter((zone) => timeZone(zone) === undefined)).toEqual([]);
  });
});

describe('languageOf', () => {
  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['en-US', 'en'],
    ['pt_BR', 'pt'],
    ['zh-Hant-TW', 'zh'],
    ['deu', 'de'],
    ['iw', 'he'],
    ['English', 'en'],
    [' german ', 'de'],
    ['Deutsch', 'de'],
    ['français', 'fr'],
    ['tl', 'tl'],
    ['Klingon', undefined],
    ['xx', undefined],
    ['', undefined],
    ['-', undefined],
    ['e'.repeat(100), undefined],
  ])('%s is %s', (text, expected) => {
    expect(languageOf(text)).toBe(expected);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => languageOf(text) !== ''));
  });
});

describe('remember', () => {
  it('asks once for each text, and again when its memory was full', () => {
    const asked: string[] = [];
    const kept = remember((text) => asked.push(text), 2);
    for (const text of ['a', 'a', 'b', 'c', 'a']) kept(text);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('does not keep an error', () => {
    let asked = 0;
    const kept = remember(() => {
      asked += 1;
      throw new Error('no text');
    });
    for (const _ of [1, 2]) expect(() => kept('a')).toThrow('no text');
    expect(asked).toBe(2);
  });
});
