import { openHostile } from '@roster/testkit';
import type { SourceError } from '../source-error.ts';
import { toSourceError } from './errors.ts';
import { connect, join } from './session.ts';

const asksInClear = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);

/** What joining a server is answered, which is told what the client has said. */
const joinAt = async (behave: Parameters<typeof openHostile>[0]): Promise<SourceError> => {
  const server = await openHostile(behave);
  const [host = '', port] = server.at.split(':');
  const address = {
    host,
    port: Number(port),
    at: server.at,
    user: 'ada',
    password: 'p4ssw0rd',
    database: 'shop',
  };
  const session = connect(address, { mode: 'off' });
  const error = await join(session).catch((error: unknown) => toSourceError(error, address));
  session.drop();
  await server.close();
  if (!error) throw new Error('it was let in');
  return error;
};

it('a server without TLS that asks for the password in clear does not get it', async () => {
  let said = '';
  const error = await joinAt((socket) => {
    socket.on('data', (data: Buffer) => {
      said += data.toString('latin1');
      socket.write(asksInClear);
    });
  });
  expect(error).toMatchObject({
    code: 'bad_settings',
    message: expect.stringContaining('password in clear'),
  });
  expect(said).toContain('ada');
  expect(said).not.toContain('p4ssw0rd');
});

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: AuthenticationSASL and what follows it. */
const authentication = (way: number, text: string): Buffer => {
  const head = Buffer.from([0x52, 0, 0, 0, 8 + text.length, 0, 0, 0, way]);
  return Buffer.concat([head, Buffer.from(text)]);
};
const [sasl, goesOn, ends] = [10, 11, 12];

it.each(['OAUTHBEARER', 'SCRAM-SHA-256-PLUS'])(
  'a server that wants %s alone is told as that',
  async (name) => {
    const error = await joinAt((socket) => {
      socket.once('data', () => socket.write(authentication(sasl, `${name}\0\0`)));
    });
    expect(error).toMatchObject({
      code: 'access_denied',
      message: expect.stringContaining('with scram-sha-256'),
    });
  },
);

it('a server that does not know the password is told as that', async () => {
  const error = await joinAt((socket) => {
    socket.once('data', () => {
      socket.write(authentication(sasl, 'SCRAM-SHA-256\0\0'));
      socket.once('data', (first: Buffer) => {
        const nonce = /r=(.*)$/.exec(first.toString())?.[1] ?? '';
        socket.write(authentication(goesOn, `r=${nonce}more,s=c2FsdA==,i=4096`));
        socket.once('data', () => socket.write(authentication(ends, `v=${'A'.repeat(43)}=`)));
      });
    });
  });
  expect(error).toMatchObject({
    code: 'access_denied',
    message: expect.stringContaining('does not know the password of user ada'),
  });
});
