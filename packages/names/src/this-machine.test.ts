import { isThisMachine } from './this-machine.ts';

it.each([
  'localhost',
  'LOCALHOST.',
  'api.localhost',
  '127.0.0.1',
  '127.1.2.3',
  '[::1]',
  '::1',
  '::ffff:127.0.0.1',
])('%s is this machine', (host) => expect(isThisMachine(host)).toBe(true));

it.each([
  '127.0.0.1.example.com',
  '127.example',
  'localhost.example.com',
  'notlocalhost',
  '10.0.0.1',
  '128.0.0.1',
  '[::2]',
  '',
])('%s may be another one', (host) => expect(isThisMachine(host)).toBe(false));
