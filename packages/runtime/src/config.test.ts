import { problemsIn } from '@roster/testkit';
import { Type } from '@sinclair/typebox';
import { loadConfig } from './config.ts';
import { envExample } from './env-example.ts';
import { serviceConfigs } from './variables.ts';

const schema = Type.Object({
  PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535, description: 'A port.' }),
  SHARE: Type.Number({ default: 0.5, minimum: 0, maximum: 1, description: 'A share.' }),
  SAFE: Type.Boolean({ default: true, description: 'Whether.' }),
  COLOUR: Type.Union([Type.Literal('red'), Type.Literal('blue')], {
    default: 'red',
    description: 'A colour.',
  }),
  SECRET: Type.String({ minLength: 16, secret: true, hint: 'a long text', description: 'A secret.' }),
});
const secret = 'long enough for a secret';

const problemsOf = (env: Record<string, string>): string[] => problemsIn(() => loadConfig(schema, env));

describe('the configuration', () => {
  it('takes the defaults for what is not set or empty', () => {
    const defaults = { PORT: 8080, SHARE: 0.5, SAFE: true, COLOUR: 'red', SECRET: secret };
    expect(loadConfig(schema, { SECRET: secret })).toEqual(defaults);
    expect(loadConfig(schema, { SECRET: secret, PORT: '', COLOUR: '  ' })).toEqual(defaults);
  });

  it('turns texts into numbers and booleans', () => {
    const env = { SECRET: secret, PORT: '0', SHARE: '0.25', SAFE: 'No', COLOUR: 'blue' };
    expect(loadConfig(schema, env)).toMatchObject({ PORT: 0, SHARE: 0.25, SAFE: false, COLOUR: 'blue' });
  });

  it('ignores variables that it does not know', () => {
    expect(loadConfig(schema, { SECRET: secret, PATH: '/bin' })).not.toHaveProperty('PATH');
  });

  it('says every wrong variable at once, and what to give', () => {
    expect(problemsOf({ PORT: '80.5', SHARE: '2', SAFE: 'maybe', COLOUR: 'green' })).toEqual([
      'PORT is "80.5"; give a whole number from 0 to 65535',
      'SHARE is "2"; give a number from 0 to 1',
      'SAFE is "maybe"; give true or false',
      'COLOUR is "green"; give one of red, blue',
      'SECRET is not set; give a long text',
    ]);
  });

  it.each(['0x10', '1e3', ' ', '8080;', 'Infinity'])('does not take %j for a port', (text) => {
    expect(problemsOf({ SECRET: secret, PORT: text }).length).toBe(text === ' ' ? 0 : 1);
  });

  it('never repeats a secret', () => {
    expect(problemsOf({ SECRET: 'too short' })).toEqual(['SECRET is not right; give a long text']);
  });
});

describe('the variables of Roster', () => {
  const variables = Object.values(serviceConfigs).flatMap((config) => Object.entries(config.properties));

  it.each(Object.keys(serviceConfigs))('of %s need no more than the secret', (name) => {
    const config = loadConfig(serviceConfigs[name as keyof typeof serviceConfigs], { ROSTER_SECRET: secret });
    // Some have no track queues to know of.
    expect({ TRACK_PARTITIONS: 4, ...config }).toMatchObject({
      REDIS_URL: 'redis://127.0.0.1:6379',
      TRACK_PARTITIONS: 4,
    });
  });

  describe('REDIS_URL', () => {
    const problems = (url: string): string[] =>
      problemsIn(() => loadConfig(serviceConfigs.track, { ROSTER_SECRET: secret, REDIS_URL: url }));
    const sentinels = Array.from({ length: 17 }, (_, n) => `s${n}`);

    it.each([
      'rediss://user:password@host:6379/2',
      'redis+sentinel://a/roster',
      'rediss+sentinel://user:p%40ss@a:26379,10.0.0.1,[::1]:1/my.main-1/2?sentinelUsername=me&sentinelPassword=a%26b',
      `redis+sentinel://${sentinels.slice(1).join()}/roster`,
    ])('may be %s', (url) => {
      expect(problems(url)).toEqual([]);
    });

    it.each([
      ['another scheme', 'redis+cluster://a,b,c'],
      ['a place without a scheme', 'host:6379'],
      ['no name of a primary', 'redis+sentinel://a,b,c'],
      ['a name that Sentinels do not take', 'redis+sentinel://a/my primary'],
      ['an empty Sentinel', 'redis+sentinel://a,,c/roster'],
      ['too many Sentinels', `redis+sentinel://${sentinels.join()}/roster`],
      ['a parameter that is not known', 'redis+sentinel://a/roster?tls=true'],
      ['an escape that is none', 'redis+sentinel://me:50%@a/roster'],
    ])('with %s is told in words', (_, url) => {
      expect(problems(url)).toEqual([
        expect.stringMatching(/^REDIS_URL is not right; give a URL like redis:.*redis\+sentinel:/),
      ]);
    });
  });

  it('are all described', () => {
    for (const [, variable] of variables) expect(variable.description).toMatch(/\.$/);
  });

  it('stand in .env.example, each once, the required ones open', () => {
    const text = envExample();
    for (const name of new Set(variables.map(([name]) => name)))
      expect(text.match(new RegExp(`^(# )?${name}=`, 'gm'))).toHaveLength(1);
    expect(text).toMatch(/^ROSTER_SECRET=$/m);
    expect(text).toMatch(/^# PORT=8080$/m);
  });
});
