import { acceptedSecrets, knownSecrets, makingSecret } from './secrets.ts';
import { secretsOf } from './secrets-of.ts';
import { toldSecrets } from './told.ts';

const made = 'the secret that makes';
const withAlso = (also: string) => secretsOf({ ROSTER_SECRET: made, ROSTER_SECRET_ALSO: also });
const before = (text: string): number => new Date(text).getTime() - 1;

describe('the secrets', () => {
  it('are a text where there is one', () => {
    expect(withAlso('')).toBe(made);
    expect([makingSecret(made), acceptedSecrets(made, 0), knownSecrets(made)]).toEqual([
      made,
      [made],
      [made],
    ]);
  });

  it('sign with the first, accept each other one until its date, and know all of them for ever', () => {
    const secrets = withAlso('a-secret-of-before@2027-03-01 much-older-secret@2026-01-01');
    const [first, second] = ['a-secret-of-before', 'much-older-secret'];
    expect(makingSecret(secrets)).toBe(made);
    expect(acceptedSecrets(secrets, before('2026-01-01'))).toEqual([made, first, second]);
    expect(acceptedSecrets(secrets, before('2027-03-01'))).toEqual([made, first]);
    expect(acceptedSecrets(secrets, before('2027-03-01') + 1)).toEqual([made]);
    expect(knownSecrets(secrets)).toEqual([made, first, second]);
  });

  it('may hold any characters', () => {
    const secrets = withAlso('with,comma@and spaces, @2027-03-01, another-secret-here@2027-03-02');
    expect(knownSecrets(secrets)).toEqual([made, 'with,comma@and spaces, ', 'another-secret-here']);
  });

  it.each([
    ['without a date', 'a-secret-of-before', 'secret 1 of ROSTER_SECRET_ALSO has no date'],
    [
      'with a day that there is not',
      'a-secret-of-before@2027-02-29',
      'secret 1 of ROSTER_SECRET_ALSO has the date 2027-02-29, and no calendar has that day',
    ],
    ['with a month that there is not', 'a-secret-of-before@2027-13-01', 'no calendar has that day'],
    [
      'with a comma instead of a space',
      'a-secret-of-before@2027-03-01,much-older-secret@2027-03-01',
      'write a space between two secrets',
    ],
    ['with an empty date', 'a-secret-of-before@', 'has no date'],
    ['that is too short', 'short@2027-03-01', 'is too short'],
    ['that makes already', 'the-secret-that-makes@2027-03-01', 'name one secret twice'],
    ['named twice', 'much-older-secret@2027-03-01 much-older-secret@2027-03-02', 'name one secret twice'],
    [
      'beyond the fourth',
      [1, 2, 3, 4, 5].map((n) => `much-older-secret-${n}@2027-03-01`).join(' '),
      '4 are possible',
    ],
  ])('refuse one %s, and never show it', (_what, also, says) => {
    const act = () => secretsOf({ ROSTER_SECRET: 'the-secret-that-makes', ROSTER_SECRET_ALSO: also });
    expect(act).toThrow(says);
    expect(act).not.toThrow(/before|older|short@/);
  });
});

it('tells how long each other secret is accepted, and what is due', () => {
  expect(toldSecrets(made, 0)).toEqual([]);
  const told = (at: string) => toldSecrets(withAlso('a-secret-of-before@2027-03-01'), before(at));
  expect(told('2027-02-01')).toEqual([
    {
      says: 'signatures of secret 1 of ROSTER_SECRET_ALSO are accepted until 2027-03-01, for 29 more days',
      isDue: false,
    },
  ]);
  expect(told('2027-02-28')[0]).toMatchObject({
    says: expect.stringContaining('for 2 more days'),
    isDue: true,
  });
  expect(told('2027-03-02')[0]).toMatchObject({
    says: expect.stringContaining('look-ups only'),
    isDue: true,
  });
});
