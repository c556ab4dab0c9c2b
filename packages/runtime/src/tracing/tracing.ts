/** Traces of requests, where an OpenTelemetry collector is configured. Without one a process has no `Tracing` at all. */

interface Operation {
  id: string;
  method: string;
  path: string;
}

/** An accepted request, as far as traces know it. */
export interface Traceable {
  id: string;
  op: string;
  /** The span that put it into its queue, as a W3C traceparent. */
  trace?: string;
}

/** One request of a caller. */
export interface RequestTrace {
  /** Writes the request into its queue. `context` travels with it. */
  send<Sent extends object>(queue: string, write: (context: string) => Promise<Sent>): Promise<Sent>;
  /** Without a status the caller has gone away. */
  end(status?: number, facts?: { id?: string; ws?: string; entries?: number }): void;
}

interface TurnTrace {
  end(error?: unknown): void;
}

interface TransactionTrace {
  conflict(): void;
  end(error?: unknown): void;
}

/** Each returns undefined where nothing is traced: for nearly all requests. */
export interface Tracing {
  request(operation: Operation, traceparent: string | string[] | undefined): RequestTrace | undefined;
  turn(queue: string, requests: readonly Traceable[]): TurnTrace | undefined;
  /** In the turn of these requests. */
  transaction(requests: readonly Traceable[]): TransactionTrace | undefined;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}
