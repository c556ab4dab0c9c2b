/** The options of a client of the public interface. */
import type { Target } from './target.ts';

export interface ClientOptions extends Target {
  /** How long a request without an answer is tried again. Pauses that the server asked for do not count. */
  giveUpAfterMs: number;
  /** Ends the waiting: requests on the wire are still answered. */
  signal: AbortSignal;
  /** Called with the reason of a pause. */
  onPause?: (ms: number, why: string) => void;
}
