import { toSourceError } from './errors.ts';

const address = { at: '127.0.0.1:3306', user: 'reader', database: 'shop' } as Parameters<
  typeof toSourceError
>[1];

it('a server that wants the password in clear is told as that, and not as another program', () => {
  // As mysql2 says it, which has no such plugin unless it is asked for.
  const error = new Error(
    'Server requests authentication using unknown plugin mysql_clear_password. See TODO: add plugins doco here on how to configure or author authentication plugins.',
  );
  expect(toSourceError(error, address)).toMatchObject({
    code: 'access_denied',
    message:
      '127.0.0.1:3306 wants the password of reader in clear, which it never gets: let the user sign in by caching_sha2_password',
  });
  expect(toSourceError(new Error('Unexpected packet'), address)).toMatchObject({ code: 'not_this_protocol' });
});
