/** A name of a server on loopback. Its connections can be cut, or go silent as when the machine behind it vanishes; and its answers may take longer. */
import { type AddressInfo, connect, createServer, Socket } from 'node:net';

interface Pair {
  near: Socket;
  far: Socket;
}

const join = ({ near, far }: Pair, slowerMs: number): void => {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => other.destroy());
  }
  near.pipe(far);
  if (slowerMs === 0) far.pipe(near);
  else far.on('data', (bytes) => setTimeout(() => near.write(bytes), slowerMs));
};

/** What is sent is taken and dropped. */
const silence = ({ near, far }: Pair): void => {
  for (const socket of [near, far])
    socket.unpipe().removeAllListeners('close').removeAllListeners('data').resume();
};

export const openLine = async (to: URL, slowerMs = 0) => {
  const pairs = new Set<Pair>();
  let target = Number(to.port);
  let isLost = false;
  const vanished = new Set<Pair>();
  const listener = createServer({ noDelay: true }, (near) => {
    const pair = { near, far: isLost ? new Socket() : connect(target, to.hostname) };
    pairs.add(pair);
    join(pair, slowerMs);
    near.once('close', () => pairs.delete(pair));
    if (isLost) vanish();
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = listener.address() as AddressInfo;
  /** From now on nothing passes on the connections that are open; new ones are not touched. Neither side is told. */
  const vanish = (): void => {
    for (const pair of pairs) {
      silence(pair);
      vanished.add(pair);
    }
    pairs.clear();
  };
  return {
    port,
    /** Ends all connections and takes no new ones. */
    cut(): void {
      listener.close();
      for (const { near, far } of [...pairs, ...vanished]) {
        near.destroy();
        far.destroy();
      }
    },
    /** Takes new connections again. */
    mend: () => listen(port),
    vanish,
    /** Likewise, and nothing passes on new ones either. */
    lose(): void {
      isLost = true;
      vanish();
    },
    /** New connections pass again. */
    find(): void {
      isLost = false;
    },
    /** New connections lead to this port. */
    moveTo(next: number): void {
      target = next;
    },
  };
};

export type Line = Awaited<ReturnType<typeof openLine>>;
