import { anIo } from '../test-io.ts';
import { keyIdOf, targetOf } from './target.ts';

const local = JSON.stringify({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'rk_local' });
const files = { '.roster/local.json': local };

describe('where an import goes', () => {
  it.each([
    ['as told', { url: 'http://a:1/', key: 'k' }, {}, { url: 'http://a:1', key: 'k' }],
    [
      'the environment',
      {},
      { ROSTER_URL: 'https://b/roster', ROSTER_API_KEY: 'e' },
      { url: 'https://b/roster', key: 'e' },
    ],
    ['the local stack', {}, {}, { url: 'http://127.0.0.1:8080', key: 'rk_local' }],
    [
      'the local stack with another key',
      {},
      { ROSTER_API_KEY: 'e' },
      { url: 'http://127.0.0.1:8080', key: 'e' },
    ],
  ])('%s', (_, options, env, target) => {
    expect(targetOf(anIo({ env: { ...env }, files }).io, options)).toEqual(target);
  });

  it.each([
    [{}, {}, {}, /No local stack runs here.*npm start.*--url.*ROSTER_URL/],
    [{ url: 'localhost:8080' }, {}, files, /--url localhost:8080 is no address like/],
    [{ url: 'http://a:1' }, {}, files, /Set ROSTER_API_KEY to a key of http:\/\/a:1/],
  ])('says what is missing: %j', (options, env, there, sentence) => {
    expect(() => targetOf(anIo({ env: { ...env }, files: { ...there } }).io, options)).toThrow(sentence);
  });

  it('knows a key without its secret', () => {
    expect(keyIdOf('some secret')).not.toContain('secret');
  });
});
