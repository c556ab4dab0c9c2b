/** What a call sends, by its places. */
export interface Sent {
  /** Of the path, in their order. */
  params?: readonly string[];
  query?: Record<string, string | number | boolean | readonly string[]>;
  body?: unknown;
  /** A body that is text already. */
  json?: string;
}
