/** Tries the sources of a server in order, says what it tries, and ends with one message that helps. */
import { givingUp } from '../giving-up.ts';

export type Say = (line: string) => void;

export const sayOnStderr: Say = (line) => void process.stderr.write(`${line}\n`);

export interface Source {
  title: string;
  /** Said before it is tried, because it takes a while. */
  slow?: string;
  /** The path of a program that runs; throws with the reason when there is none. */
  find(): Promise<string>;
}

export interface Search {
  /** In words. */
  server: string;
  sources: Source[];
  advice: string;
  say?: Say | undefined;
}

const reasonOf = (error: unknown): string => {
  const text = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
  return text.length > 240 ? `${text.slice(0, 240)} ...` : text;
};

/** Shows that it is still alive while a source takes its time. */
const withHeartbeat = async <T>(say: Say, title: string, work: Promise<T>): Promise<T> => {
  const since = Date.now();
  const beat = setInterval(
    () => say(`  still at it: ${title} (${Math.round((Date.now() - since) / 1000)} s)`),
    10_000,
  );
  return work.finally(() => clearInterval(beat));
};

const attempt = async ({ server, say = sayOnStderr }: Search, source: Source): Promise<string> => {
  if (!source.slow) return source.find();
  say(`${server}: ${source.slow} ...`);
  try {
    const program = await withHeartbeat(say, source.title, source.find());
    say(`${server}: ready, kept in ${program}`);
    return program;
  } catch (error) {
    say(`  that did not work: ${reasonOf(error)}`);
    throw error;
  }
};

const tryAll = async (wanted: Search): Promise<string> => {
  const tried: string[] = [];
  for (const source of wanted.sources) {
    givingUp()?.throwIfAborted();
    try {
      return await attempt(wanted, source);
    } catch (error) {
      tried.push(`  - ${source.title}: ${reasonOf(error)}`);
    }
  }
  throw new Error(
    `No ${wanted.server} was found or could be fetched.\n${tried.join('\n')}\n${wanted.advice}`,
  );
};

const underWay = new Map<string, Promise<string>>();

/** Several servers that are started at once share one search: nothing is fetched twice. */
export const search = (wanted: Search): Promise<string> => {
  const { server } = wanted;
  const found = underWay.get(server) ?? tryAll(wanted).finally(() => underWay.delete(server));
  underWay.set(server, found);
  return found;
};
