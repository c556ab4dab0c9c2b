// A request, or several at once, with what has to be there before: small enough for a file, exact enough to be sent again.
import { bytesOf, filled, jsonOf, type Parts, plainText, type Term, type Tokens, withParts } from './term.ts';

/** One request that is sent before the measurement, so many times. */
export interface Step {
  operation: string;
  times: number;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Term;
  /** The same for all genomes: what it makes stays. */
  once?: true;
}

export interface Genome {
  operation: string;
  /** What it is about, for the reader of the report. */
  title?: string;
  /** Which road of messaging it takes, and all that come from it: see roads.ts. */
  road?: string;
  /** What its bodies name by `part`. Then the search changes these, and how many send it, and nothing else. */
  parts?: Parts;
  before?: Step[];
  params?: Record<string, string>;
  query?: Record<string, Term>;
  headers?: Record<string, string>;
  body?: Term;
  /** It is its size that costs: the search does not send several at once, which only takes longer. */
  alone?: true;
  /** So many send it at once; one unless said. */
  senders?: number;
  /** The last bytes of the body come three seconds late, or never: then the connection is closed after a while. */
  heldBack?: boolean | 'for good';
}

/** What the table of operations says about where to send it. */
export interface Place {
  method: string;
  path: string;
  auth?: string;
  bodyLimit: number;
}

export interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
  auth: 'key' | 'scim' | 'nobody';
}

/** A list in a query is its parameter several times. */
const valuesOf = (term: Term, tokens: Tokens): string[] => {
  const all = 'list' in term ? Array<Term>(term.count).fill(term.list) : 'row' in term ? term.row : undefined;
  return all?.map((one, i) => plainText(one, { ...tokens, i: String(i) })) ?? [plainText(term, tokens)];
};

const queryText = (query: Record<string, Term>, tokens: Tokens): string => {
  const search = new URLSearchParams();
  for (const [name, term] of Object.entries(query))
    for (const value of valuesOf(term, tokens)) search.append(name, value);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

const pathOf = (path: string, params: Record<string, string>, tokens: Tokens): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled(params[name] ?? 'none', tokens)));

export const filledAll = (texts: Record<string, string>, tokens: Tokens): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text, tokens)]));

/** Strangers send forms, which are no JSON. */
const bodyOf = (body: Term, auth: string | undefined, tokens: Tokens): string =>
  auth === 'nobody' ? plainText(body, tokens) : jsonOf(body, tokens);

/** The request as it goes out. */
export const wireOf = (
  { params = {}, query = {}, headers = {}, body, parts = {} }: Omit<Genome, 'operation'>,
  { method, path, auth }: Place,
  given: Tokens,
): Wire => {
  const tokens = { i: '0', ...given };
  return {
    method,
    path: pathOf(path, params, tokens) + queryText(query, tokens),
    headers: filledAll(headers, tokens),
    auth: auth === 'scim' || auth === 'nobody' ? auth : 'key',
    ...(body && { body: Buffer.from(bodyOf(withParts(body, parts), auth, tokens)) }),
  };
};

/** More than this is not sent: it is past every limit, and the harness has to hold it. */
export const mostBytes = 7_500_000;

/** Likewise of a message or a page. */
const mostOfRoad = 500_000;

export const isSendable = ({ body, senders = 1, before = [], parts = {}, road }: Genome): boolean => {
  const bytes = (of: Term | undefined): number => (of ? bytesOf(withParts(of, parts)) : 0);
  return (
    bytes(body) <= (road ? mostOfRoad : mostBytes) &&
    Object.values(parts).every((part) => bytes(part) <= mostOfRoad) &&
    senders <= 150 &&
    before.every((step) => bytes(step.body) <= mostBytes && step.times * bytes(step.body) <= 40_000_000)
  );
};
