import { openTable, type ReadCredential } from './connect.ts';

const open = (url: string) => {
  const read: ReadCredential = async () => url;
  return openTable({
    connection: { id: 'w', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_URL' }, tls: 'off' },
    settings: { connection: 'w', table: 'crm.users' },
    data: 'attributes',
    read,
  });
};

it('a source is read at its address, with the credential that is named', async () => {
  const attempt = open('postgresql://someone:s3cret-word@127.0.0.1:1/db');
  await expect(attempt).rejects.toMatchObject({ code: 'connection_refused', kind: 'passing' });
  await expect(attempt).rejects.toThrow('127.0.0.1:1 refuses the connection');
});

it('a wrong credential is told without its words', async () => {
  const attempt = open('mongodb://someone:s3cret-word@127.0.0.1:1/db');
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings' });
  await expect(attempt).rejects.not.toThrow('s3cret-word');
});

it('a credential that is not there is named', async () => {
  const attempt = openTable({
    connection: { id: 'w', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_URL' } },
    settings: { connection: 'w', table: 'users' },
    data: 'attributes',
    read: () => Promise.reject(new Error('the variable ROSTER_CREDENTIAL_URL is not set')),
  });
  await expect(attempt).rejects.toMatchObject({ code: 'bad_settings', kind: 'config' });
  await expect(attempt).rejects.toThrow('ROSTER_CREDENTIAL_URL is not set');
});

it('a connection that is gone is told by its name', async () => {
  const settings = { connection: 'w', table: 'users' };
  const attempt = openTable({ connection: undefined, settings, data: 'attributes', read: async () => '' });
  await expect(attempt).rejects.toThrow('the workspace has no connection w any more');
});
