import { openHostile } from '@roster/testkit';
import { failureOf } from '../testbed.ts';
import { connect, join } from './session.ts';

const asksInClear = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);

it('a server without TLS that asks for the password in clear does not get it', async () => {
  let said = '';
  const server = await openHostile((socket) => {
    socket.on('data', (data: Buffer) => {
      said += data.toString('latin1');
      socket.write(asksInClear);
    });
  });
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
  const error = await failureOf(join(session));
  session.drop();
  await server.close();
  expect(error).toMatchObject({
    code: 'bad_settings',
    message: expect.stringContaining('password in clear'),
  });
  expect(said).toContain('ada');
  expect(said).not.toContain('p4ssw0rd');
});
