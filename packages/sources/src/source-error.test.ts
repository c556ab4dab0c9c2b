import { networkError } from './network-errors.ts';
import { isErrorCode } from './source-error.ts';

it.each(['000606', 'MalformedXML', 'NotImplemented', 'notFound', 'RESOURCE_DOES_NOT_EXIST', 'OddThing'])(
  '%s has the shape of an error code',
  (code) => {
    expect(isErrorCode(code)).toBe(true);
  },
);

it.each([
  ...['', 'minioadmin', 'dapi0123456789abcdef', 'wJalrXUtnFEMIK7MDENG', 'AKIAIOSFODNN7EXAMPLE', '1234567'],
  ...['the password hunter2 is wrong', 'a.b.c', `${'Ab'.repeat(31)}`, 'not_found'],
])('%p has none, and may repeat a credential', (text) => {
  expect(isErrorCode(text)).toBe(false);
});

it.each(['CERT_hunter2', 'ERR_TLS_shop:hunter2', `CERT_${'A'.repeat(60)}`])(
  'a server that gives %s as its code is not shown as an error of TLS',
  (code) => {
    expect(networkError({ code }, 'db.example.com')).toBeUndefined();
  },
);

it('an error of TLS is shown by its code', () => {
  expect(networkError({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'db.example.com')?.message).toBe(
    'there is no TLS connection to db.example.com (ERR_SSL_WRONG_VERSION_NUMBER)',
  );
});

it('a long text that is nearly a code is told in no time', () => {
  expect(isErrorCode(`${'aB'.repeat(100_000)}1`)).toBe(false);
});
