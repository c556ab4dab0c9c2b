/** What the headers of an answer say, for those who ask. */
export interface About {
  status: number;
  requestId: string | undefined;
  /** Whether a read includes everything that was accepted before it. */
  isFresh: boolean | undefined;
  /** Requests that are allowed in the window, those that are left, and when it ends. */
  limit: number | undefined;
  remaining: number | undefined;
  resetAt: Date | undefined;
  /** Points that the request cost, and those that the workspace has left. */
  price: number | undefined;
  workRemaining: number | undefined;
  /** How often it was sent. */
  attempts: number;
}

interface Source {
  status: number;
  headers: Headers;
  attempts: number;
}

const sources = new WeakMap<object, Source>();

export const remember = (answer: object, source: Source): void => {
  sources.set(answer, source);
};

export const headersOf = (answer: object): Headers | undefined => sources.get(answer)?.headers;

const numberIn = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name);
  return value === null ? undefined : Number(value);
};

/** About an answer of this client: `about(await roster.users.export.ids(...))?.isFresh`. */
export const about = (answer: object): About | undefined => {
  const source = sources.get(answer);
  if (!source) return undefined;
  const { status, headers, attempts } = source;
  const reset = numberIn(headers, 'x-ratelimit-reset');
  const fresh = headers.get('x-roster-fresh');
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    isFresh: fresh === null ? undefined : fresh === 'true',
    limit: numberIn(headers, 'x-ratelimit-limit'),
    remaining: numberIn(headers, 'x-ratelimit-remaining'),
    resetAt: reset === undefined ? undefined : new Date(reset * 1000),
    price: numberIn(headers, 'x-roster-price'),
    workRemaining: numberIn(headers, 'x-roster-work-remaining'),
    attempts,
  };
};
