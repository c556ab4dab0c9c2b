// What happens to a primary, of MongoDB or of Redis, one thing after the other; and how long each time until it is healed.
import type { Findings, Trial } from '../harness/fault.ts';
import { requestsInFlight } from '../harness/queue-state.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';

interface Server {
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** Gives what brings the old primary back. */
export type Trouble<Site> = (site: Site) => Promise<() => unknown>;

type WithPrimary = Trouble<{ primary(): Promise<Server> }>;

export const killed: WithPrimary = async (site) => {
  const primary = await site.primary();
  await primary.kill();
  return primary.start;
};

export const frozen: WithPrimary = async (site) => {
  const primary = await site.primary();
  primary.signal('SIGSTOP');
  return () => primary.signal('SIGCONT');
};

const mostRounds = 3;

export const inRounds = <Site>(
  { quick }: Pick<Trial, 'quick'>,
  troubles: Record<string, Trouble<Site>>,
): Record<string, Trouble<Site>> => {
  if (quick) return troubles;
  const rounds = Array.from({ length: mostRounds }, (_, n) => n + 1);
  return Object.fromEntries(
    rounds.flatMap((n) => Object.entries(troubles).map(([name, trouble]) => [`${name} (${n})`, trouble])),
  );
};

/** Tells whether what waited when it was first asked is applied. */
export const watchWaiting = ({ redis }: Pick<System, 'redis'>) => {
  const inFlight = async () => new Set((await requestsInFlight(redis)).map(({ id }) => id));
  let waiting: Set<string> | undefined;
  return async (): Promise<boolean> => {
    waiting ??= await inFlight();
    const left = await inFlight();
    return [...waiting].every((id) => !left.has(id));
  };
};

interface Suffering<Site> {
  site: Site;
  say: Trial['say'];
  /** Milliseconds; undefined when that took too long. */
  heals(): Promise<number | undefined>;
  /** The sentence for the findings when it did not. */
  late(name: string): string | Promise<string>;
  /** Until the next trouble may come. */
  whole?(): Promise<unknown>;
}

export const suffer = async <Site>(
  { site, say, heals, late, whole }: Suffering<Site>,
  troubles: Record<string, Trouble<Site>>,
): Promise<Findings> => {
  const found: Findings = { figures: {}, broken: [] };
  for (const [name, trouble] of Object.entries(troubles)) {
    await sleep(1_000);
    const back = await trouble(site);
    const ms = await heals();
    say(`${name}: ${ms === undefined ? 'not healed in time' : `healed after ${ms.toFixed(0)} ms`}`);
    found.figures[`${name}, ms`] = ms ?? -1;
    if (ms === undefined) found.broken.push(await late(name));
    await back();
    await whole?.();
  }
  return found;
};
