import fc from 'fast-check';
import { withoutSecrets } from './without-secrets.ts';

const hide = (text: string, ...secrets: string[]): string => withoutSecrets(text, secrets);

/** Whether so many characters in a row are in both. */
const sharesPiece = (shown: string, form: string): boolean =>
  Array.from({ length: Math.max(0, form.length - 7) }, (_, at) => form.slice(at, at + 8).toLowerCase()).some(
    (piece) => shown.toLowerCase().includes(piece),
  );

const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 });
const key = fc.stringMatching(/^[A-Za-z0-9_+/=.:-]{8,60}$/);
const around = fc.string({ maxLength: 40 });
const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
const unfolded = (text: string): boolean => !/\s{2}|[^\P{Cc}]/u.test(text) && !text.includes('***');

it.each<[string, fc.Arbitrary<string>, (secret: string) => string]>([
  ['as it stands', ascii, (text) => text],
  ['in capitals', key, (text) => text.toUpperCase()],
  ['in a URL', ascii, encodeURIComponent],
  ['in a form', ascii, (text) => new URLSearchParams({ '': text }).toString().slice(1)],
  ['in JSON', ascii, (text) => JSON.stringify(text).slice(1, -1)],
  ['in JSON of PHP', key, (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/')],
  ['in base64', ascii, inBase64],
  ['in base64 in a URL', ascii, (text) => encodeURIComponent(inBase64(text))],
  ['in base64url', ascii, (text) => Buffer.from(text).toString('base64url')],
  ['in hexadecimal', ascii, (text) => Buffer.from(text).toString('hex')],
])('8 characters of a secret are never shown: %s', (_, secrets, encoded) => {
  fc.assert(
    fc.property(secrets.filter(unfolded), around, around, (secret, before, after) => {
      const form = encoded(secret).trim();
      expect(sharesPiece(hide(`${before}${encoded(secret)}${after}`, secret), form)).toBe(false);
    }),
  );
});

/** The characters of base64 that only the secret decides. */
const ownPart = (before: string, secret: string): string => {
  const [from, to] = [Buffer.byteLength(before), Buffer.byteLength(before + secret)];
  return inBase64(before + secret).slice(Math.ceil((from * 8) / 6), Math.floor((to * 8) / 6));
};

it('nor in base64 of a longer text, wherever the secret stands in it', () => {
  fc.assert(
    fc.property(ascii.filter(unfolded), around, around, (secret, before, after) => {
      const shown = hide(inBase64(`${before}${secret}${after}`).slice(0, 900), secret);
      expect(sharesPiece(shown, ownPart(before, secret))).toBe(false);
    }),
  );
});

it('nor where the text or the secret is cut off', () => {
  const secret = 'a1b2c3d4e5f6g7h8';
  expect(hide(`wrong: ${secret.slice(0, 9)}`, secret)).toBe('wrong: ***');
  expect(hide(`${secret.slice(5)} is wrong`, secret)).toBe('*** is wrong');
  expect(hide(`${'x'.repeat(990)}${secret}`, secret)).not.toContain('a1b2');
});

const hexOf = (text: string, encoding: BufferEncoding = 'utf8'): string[] =>
  [...Buffer.from(text, encoding)].map((byte) => byte.toString(16).padStart(2, '0'));
const each =
  (before: string, after = '') =>
  (text: string) =>
    hexOf(text)
      .map((byte) => `${before}${byte}${after}`)
      .join('');
const codes = (write: (code: number) => string) => (text: string) =>
  Array.from(text, (sign) => write(sign.charCodeAt(0))).join('');
const hex4 = (code: number): string => code.toString(16).padStart(4, '0');
const some = (write: (code: number) => string) => (text: string) =>
  Array.from(text, (sign, at) => (at % 3 === 0 ? write(sign.charCodeAt(0)) : sign)).join('');

it.each<[string, (secret: string) => string]>([
  ['each byte as in a URL', each('%')],
  ['the same in capitals', (text) => each('%')(text).toUpperCase()],
  ['the same once more', each('%25')],
  ['%u', codes((code) => `%u${hex4(code)}`)],
  ['each character as in JSON', codes((code) => `\\u${hex4(code)}`)],
  ['the same in JSON in JSON', codes((code) => `\\\\u${hex4(code)}`)],
  ['\\u{}', codes((code) => `\\u{${code.toString(16)}}`)],
  ['\\x', each('\\x')],
  ['numbers of HTML', codes((code) => `&#${code};`)],
  ['with zeros', codes((code) => `&#00000${code};`)],
  ['in hexadecimal', codes((code) => `&#x${code.toString(16)};`)],
  ['without semicolons', codes((code) => `&#${code}`)],
  ['some of them as in a URL', some((code) => `%${code.toString(16)}`)],
  ['some as in HTML', some((code) => `&#${code};`)],
  ['some as in JSON', some((code) => `\\u${hex4(code)}`)],
  ['quoted-printable', each('=')],
  ['0x', each('0x', ' ')],
  ['hexadecimal with colons', (text) => hexOf(text).join(':')],
  ['with blanks', (text) => hexOf(text).join(' ')],
  ['of UTF-16', (text) => hexOf(text, 'utf16le').join('')],
  ['of base64', (text) => hexOf(inBase64(text)).join('')],
  ['base64 of UTF-16', (text) => Buffer.from(text, 'utf16le').toString('base64')],
  ['base64 of base64', (text) => inBase64(inBase64(text))],
  ['base64 of a longer text in base64', (text) => inBase64(inBase64(`key ${text}`))],
  ['base64 in lines', (text) => inBase64(text).replace(/.{4}/g, '$&\r\n')],
  ['with NUL between', (text) => Array.from(text).join('\0')],
  ['with soft hyphens between', (text) => Array.from(text).join('\u00ad')],
  ['with a sign between', (text) => Array.from(text).join('|')],
])('nor when more is escaped than must be: %s', (_, encoded) => {
  const secrets = [
    'S3cretPassw0rd66',
    'SMSBEARER66-abcdefghijklmnop',
    'p%C3%A4ss/w0rd+with=signs',
    'Straße-nach-Süden-09',
  ];
  for (const secret of secrets) {
    const shown = hide(`wrong: ${encoded(secret)} !`, secret);
    expect(shown).toMatch(/^wrong: .{0,12}\*\*\*.{0,16}!$/);
    // What is left of the two ends.
    expect(shown.length).toBeLessThan('wrong: '.length + 30);
  }
});

it('words that only look escaped stay', () => {
  const words = 'Rejected: 100% sure, a=b0 0x1f deadbeef &#38; 535 5.7.8 abcdefghijklmnop %zz \\u';
  expect(hide(words, 'another secret 123')).toBe(words);
});

it('a shorter secret is not shown whole, and what is too short for one stays', () => {
  expect(hide('p@ss is wrong, P@SS too, and cEBzcw==', 'p@ss')).toBe('*** is wrong, *** too, and ***==');
  expect(hide('no one is', 'no')).toBe('no one is');
});

it('what is left is one line, and short', () => {
  expect(hide(' Invalid\r\n\t login \u001b[31m\u202e!', 'another secret')).toBe('Invalid login [31m !');
  expect(hide('x '.repeat(5000), 'another secret')).toHaveLength(300);
});

it('the same text without its secrets in the list shows them: the list is what hides them', () => {
  expect(hide('the key a1b2c3d4e5 is wrong')).toBe('the key a1b2c3d4e5 is wrong');
});

it('a text that goes on and on costs no more than its beginning', () => {
  const secrets = ['k'.repeat(2000)];
  expect(withoutSecrets('k'.repeat(5_000_000), secrets)).toBe('***');
});
