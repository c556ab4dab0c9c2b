/** What the sender is asked to write, and what it says. */
import type { JsonObject } from './json.ts';

export interface Asked {
  ws: string;
  /** Service id. */
  person: string;
  channel: string;
  content: JsonObject;
  recipients?: JsonObject;
}

/** What `services/messaging/src/preview.ts` answers. */
export interface Preview {
  channel: string;
  skipped?: string;
  until?: string;
  /** Why it would wait until then. */
  waits?: string;
  to: string[];
  content?: JsonObject;
  fault?: string;
  text?: string;
  headers?: Record<string, string>;
  links: string[];
  unknown: string[];
}
