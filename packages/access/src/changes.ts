/** Hears which keys and workspaces have changed. While it can't hear, nothing may be kept: `listening()` is false. */
import type { Redis } from 'ioredis';
import { channel } from './serving-copy.ts';

export const hearChanges = (subscriber: Redis, forget: (message: string) => void) => {
  let listening = false;
  const lost = () => {
    listening = false;
    forget('all');
  };
  const subscribe = () => {
    subscriber.subscribe(channel).then(
      () => {
        // A record that was read before this moment may be outdated: its change was announced before we listened.
        forget('all');
        listening = subscriber.status === 'ready';
      },
      // Not allowed or not answered in time: a new connection tries again.
      () => subscriber.disconnect(true),
    );
  };
  subscriber.on('ready', subscribe);
  subscriber.on('close', lost);
  subscriber.on('message', (_channel: string, message: string) => forget(message));
  if (subscriber.status === 'ready') subscribe();
  return { listening: (): boolean => listening };
};
