/** A name of a server on loopback. Its connections can be cut, or go silent as when the machine behind it vanishes. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  port: number;
  /** Ends all connections and takes no new ones. */
  cut(): void;
  /** Takes new connections again. */
  mend(): Promise<void>;
  /** From now on nothing passes on the connections that are open; new ones are not touched. Neither side is told. */
  vanish(): void;
  /** New connections lead to this port. */
  moveTo(port: number): void;
}

interface Pair {
  near: Socket;
  far: Socket;
}

const join = ({ near, far }: Pair): void => {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
};

/** What is sent is taken and dropped. */
const silence = ({ near, far }: Pair): void => {
  for (const socket of [near, far]) socket.unpipe().removeAllListeners('close').resume();
};

export const openLine = async (to: URL): Promise<Line> => {
  const pairs = new Set<Pair>();
  let target = Number(to.port);
  const listener = createServer({ allowHalfOpen: false }, (near) => {
    const pair = { near, far: connect(target, to.hostname) };
    pairs.add(pair);
    join(pair);
    near.once('close', () => pairs.delete(pair));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = listener.address() as AddressInfo;
  const vanished = new Set<Pair>();
  return {
    port,
    cut() {
      listener.close();
      for (const { near, far } of [...pairs, ...vanished]) {
        near.destroy();
        far.destroy();
      }
    },
    mend: () => listen(port),
    vanish() {
      for (const pair of pairs) {
        silence(pair);
        vanished.add(pair);
      }
      pairs.clear();
    },
    moveTo(next) {
      target = next;
    },
  };
};
