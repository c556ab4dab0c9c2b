// What happens to the primary of several servers, whichever they are.
import type { Trial } from './fault.ts';

interface Member {
  signal(name: NodeJS.Signals): void;
  /** Without warning. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

interface Servers {
  primary(): Promise<Member>;
}

/** Gives what brings the old primary back. */
type Back = () => Promise<void>;

export const killed = async (servers: Servers): Promise<Back> => {
  const primary = await servers.primary();
  await primary.kill();
  return primary.start;
};

export const frozen = async (servers: Servers): Promise<Back> => {
  const primary = await servers.primary();
  primary.signal('SIGSTOP');
  return async () => primary.signal('SIGCONT');
};

/** Each once in a short trial, three times in a long one. */
export const repeated = <Trouble>(
  { quick }: Pick<Trial, 'quick'>,
  troubles: Record<string, Trouble>,
): Record<string, Trouble> =>
  quick
    ? troubles
    : Object.fromEntries(
        [1, 2, 3].flatMap((n) =>
          Object.entries(troubles).map(([name, trouble]) => [`${name} (${n})`, trouble]),
        ),
      );
