import { createIsOurHost } from './gate.ts';

describe('the name under which an open board is asked for', () => {
  const isOurHost = createIsOurHost('monitor,Board.test');

  it.each([
    'localhost:3000',
    'LOCALHOST',
    'a.localhost',
    '127.0.0.1:3000',
    '[::1]:3000',
    '10.0.0.7',
    'board.test:80',
    'monitor',
  ])('may be %s', (host) => expect(isOurHost(host)).toBe(true));

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'board.test.evil',
    '',
    undefined,
  ])('may not be %s', (host) => expect(isOurHost(host)).toBe(false));
});
