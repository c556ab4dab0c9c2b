import { pagesUrlOf, pepperOf, secretsIfKnown, settingsOf } from './local.ts';
import { anIo } from './test-io.ts';

const local = JSON.stringify({ redisUrl: 'redis://127.0.0.1:1111', mongoUrl: 'mongodb://127.0.0.1:2222/x' });
const secret = 'a secret of the local stack\n';

describe('the settings of the commands', () => {
  it('come from the environment', () => {
    const { io } = anIo({
      env: { REDIS_URL: 'redis://a:1', MONGO_URL: 'mongodb://b:2/x', ROSTER_SECRET: 'a long enough secret' },
      files: { '.roster/local.json': local, '.roster/secret': secret },
    });
    expect(settingsOf(io)).toMatchObject({ REDIS_URL: 'redis://a:1', MONGO_URL: 'mongodb://b:2/x' });
    expect(pepperOf(io)).toBe('a long enough secret');
  });

  it('come from the local stack where the environment is silent', () => {
    const { io } = anIo({
      env: { ROSTER_HOME: '/elsewhere', MONGO_URL: '' },
      files: { '/elsewhere/local.json': local, '/elsewhere/secret': secret },
    });
    expect(settingsOf(io)).toMatchObject({
      REDIS_URL: 'redis://127.0.0.1:1111',
      MONGO_URL: 'mongodb://127.0.0.1:2222/x',
    });
    expect(pepperOf(io)).toBe('a secret of the local stack');
  });

  it('are the secrets that a running stack was given, none of which is mixed with one of the environment', () => {
    const given = {
      ROSTER_SECRET: 'a secret that was given',
      ROSTER_SECRET_ALSO: `${'b'.repeat(20)}@2999-01-01`,
    };
    const files = { '.roster/secret': secret, '.roster/secrets.json': JSON.stringify(given) };
    expect(secretsIfKnown(anIo({ files }).io)).toMatchObject({ others: [{ secret: 'b'.repeat(20) }] });
    expect(pepperOf(anIo({ files }).io)).toBe('a secret that was given');
    const env = { ROSTER_SECRET: 'a long enough secret' };
    expect(secretsIfKnown(anIo({ files, env }).io)).toBe('a long enough secret');
  });

  it('are the usual ones without settings', () => {
    expect(settingsOf(anIo().io)).toMatchObject({ REDIS_URL: 'redis://127.0.0.1:6379', TRACK_PARTITIONS: 4 });
  });

  it('name the folders of the local stack', () => {
    const folders = { credentialsDir: '/x/credentials', filesDir: '/x/files' };
    const files = { '.roster/local.json': JSON.stringify(folders) };
    const named = { CREDENTIALS_DIR: '/x/credentials', FILES_DIR: '/x/files' };
    expect(settingsOf(anIo({ files }).io)).toMatchObject(named);
    const env = { CREDENTIALS_DIR: '/y', FILES_DIR: '/z' };
    expect(settingsOf(anIo({ env, files }).io)).toMatchObject(env);
  });

  it('say where the pages are', () => {
    const files = { '.roster/local.json': JSON.stringify({ pagesUrl: 'http://127.0.0.1:3333' }) };
    expect(pagesUrlOf(anIo({ files }).io)).toBe('http://127.0.0.1:3333');
    const env = { PAGES_URL: 'https://pages.example.com' };
    expect(pagesUrlOf(anIo({ env, files }).io)).toBe('https://pages.example.com');
    expect(pagesUrlOf(anIo().io)).toBeUndefined();
  });

  it('survive a broken local.json', () => {
    expect(settingsOf(anIo({ files: { '.roster/local.json': '[1' } }).io)).toHaveProperty('REDIS_URL');
  });

  it('refuse another secret without a date, also where a command can do without', () => {
    const env = { ROSTER_SECRET: 'a long enough secret', ROSTER_SECRET_ALSO: 'the-secret-of-before' };
    expect(() => pepperOf(anIo({ env }).io)).toThrow('secret 1 of ROSTER_SECRET_ALSO has no date');
    expect(() => secretsIfKnown(anIo({ env }).io)).toThrow('has no date');
    expect(secretsIfKnown(anIo().io)).toBeUndefined();
  });

  it('say what to do when there is no secret', () => {
    expect(() => pepperOf(anIo().io)).toThrow(/ROSTER_SECRET is not set; give at least 16 random characters/);
  });
});
