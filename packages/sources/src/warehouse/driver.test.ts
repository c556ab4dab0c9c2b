import { loadDriver } from './driver.ts';

const failing = (code: string) => async () => {
  throw Object.assign(new Error('words of Node'), { code });
};

describe('the driver of a warehouse', () => {
  it('is loaded', async () => {
    expect(await loadDriver('some-driver', '1.2.3', async () => 'the driver')).toBe('the driver');
  });

  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])('is named where it is missing: %s', async (code) => {
    await expect(loadDriver('some-driver', '1.2.3', failing(code))).rejects.toMatchObject({
      code: 'driver_missing',
      kind: 'config',
      message: 'the driver some-driver is not installed here: npm install --no-save some-driver@1.2.3',
    });
  });

  it('may be broken in other ways, which are not hidden', async () => {
    await expect(loadDriver('some-driver', '1.2.3', failing('ERR_DLOPEN_FAILED'))).rejects.toThrow(
      'words of Node',
    );
  });
});
