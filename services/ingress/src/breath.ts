/** The steps of large bodies come one at a time, with rests between them in which small requests go on (docs/adr/0020). */
import { smallBody } from './rooms.ts';

/** A body between its steps. The first one begins after `begin`, each further one after `pause`, and `end` comes after the last one. */
export interface Breath {
  begin(): void | Promise<void>;
  pause(): void | Promise<void>;
  /** May be called again. */
  end(): void;
}

const mostRestMs = 50;
/** After a step that was as short as this, one turn of the event loop is rest enough. */
const shortMs = 4;

const small: Breath = { begin: () => {}, pause: () => {}, end: () => {} };

/** For the bodies of a process. */
export const createBreaths = (): ((bytes: number) => Breath) => {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  const pass = (): void => {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  };

  /** As long as the step took: a small request needs several turns of the event loop. */
  const rest = (since: number): void => {
    const ms = performance.now() - since;
    if (ms < shortMs) setImmediate(pass);
    else setTimeout(pass, Math.min(mostRestMs, ms));
  };

  return (bytes) => {
    if (bytes <= smallBody) return small;
    let since: number | undefined;
    const began = (): void => {
      since = performance.now();
    };
    const turn = (queue: (go: () => void) => void): void | Promise<void> => {
      if (isTaken) return new Promise<void>((go) => queue(go)).then(began);
      isTaken = true;
      began();
    };
    const end = (): void => {
      if (since !== undefined) rest(since);
      since = undefined;
    };
    return {
      begin: () => turn((go) => waiting.push(go)),
      // A body that has begun comes before those that have not: they hold memory as well.
      pause() {
        end();
        return turn((go) => waiting.unshift(go));
      },
      end,
    };
  };
};
