// A server whose answers take so much longer.
import { type AddressInfo, connect, createServer } from 'node:net';

export const openSlowLine = async (to: URL, slowerMs: number) => {
  const listener = createServer({ noDelay: true }, (near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy());
    near.pipe(far);
    far.on('data', (bytes) => {
      setTimeout(() => near.write(bytes), slowerMs);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    close: (): void => void listener.close(),
  };
};
