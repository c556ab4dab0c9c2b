import { anyFreePort } from './ports.ts';

afterEach(() => jest.restoreAllMocks());

it('a free port is given once, since the process that asked for it may not listen yet', async () => {
  jest.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.5).mockReturnValueOnce(0.6);
  expect(await anyFreePort()).not.toBe(await anyFreePort());
});
