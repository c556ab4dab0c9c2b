// A JSON text described in a few lines, however long it becomes: what a search can change, and what can be kept in a file.

/**
 * In every text: `{i}` is the number of the element in the innermost list, `{o}` in the list around that, `{n}` the number of the measurement, `{s}` of the step's
 * repetition, `{t}` of the sending; `{id}` and `{request}` are the `id` and the request id of the last answer to a step.
 */
export type Term =
  | { text: string; times?: number; escaped?: boolean }
  /** Written as it stands: numbers in any spelling, `true`, `null`, and JSON that is none. */
  | { raw: string }
  /** One text of several. */
  | { joined: Term[] }
  /** What the genome has under this name. */
  | { part: string }
  /** The search leaves it as it is, but for its parts. */
  | { kept: Term }
  | { list: Term; count: number }
  /** Elements that differ. */
  | { row: Term[] }
  | { object: { [name: string]: Term }; more?: Members[] }
  | { nest: Term; in: 'list' | 'object'; depth: number };

/** Many members of one kind. */
export interface Members {
  name: string;
  value: Term;
  count: number;
}

export type Tokens = Readonly<Record<string, string>>;

/** What stands for the tokens of a text. */
export const filled = (text: string, tokens: Tokens): string =>
  text.includes('{') ? text.replace(/\{([a-z]+)\}/g, (whole, name: string) => tokens[name] ?? whole) : text;

const escapes = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/** As a text, without the quotes of JSON. */
export const plainText = (term: Term, tokens: Tokens): string => {
  const json = jsonOf(term, tokens);
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
};

/** The term with each part changed, inner parts first. */
export const mapped = (term: Term, change: (part: Term) => Term): Term => {
  const inner = (part: Term): Term => mapped(part, change);
  if ('list' in term) return change({ ...term, list: inner(term.list) });
  if ('row' in term) return change({ ...term, row: term.row.map(inner) });
  if ('joined' in term) return change({ joined: term.joined.map(inner) });
  if ('nest' in term) return change({ ...term, nest: inner(term.nest) });
  if (!('object' in term)) return change(term);
  const object = Object.fromEntries(Object.entries(term.object).map(([name, value]) => [name, inner(value)]));
  const more = term.more?.map((some) => ({ ...some, value: inner(some.value) }));
  return change({ object, ...(more && { more }) });
};

export type Parts = Readonly<Record<string, Term>>;

export const withParts = (term: Term, parts: Parts): Term =>
  mapped(term, (one) => {
    if ('kept' in one) return withParts(one.kept, parts);
    const part = 'part' in one ? parts[one.part] : undefined;
    return part ? withParts(part, parts) : one;
  });

/** So many of them with commas between them. Where the second is like the first, all are. */
const many = (count: number, one: (i: number) => string): string => {
  const first = count > 0 ? one(0) : '';
  if (count > 1 && one(1) !== first) return Array.from({ length: count }, (_, i) => one(i)).join(',');
  return count > 0 ? `${`${first},`.repeat(count - 1)}${first}` : '';
};

const numbered = (tokens: Tokens, i: number): Tokens => ({ ...tokens, i: String(i), o: tokens.i ?? '0' });

const objectOf = (members: { [name: string]: Term }, more: readonly Members[], tokens: Tokens): string => {
  const member = (name: string, value: Term, own: Tokens): string =>
    `${JSON.stringify(filled(name, own))}:${jsonOf(value, own)}`;
  const named = Object.entries(members).map(([name, value]) => member(name, value, tokens));
  const rest = more.map(({ name, value, count }) =>
    many(count, (i) => member(name, value, numbered(tokens, i))),
  );
  return `{${[...named, ...rest].filter((text) => text !== '').join(',')}}`;
};

export const jsonOf = (term: Term, tokens: Tokens = {}): string => {
  if ('text' in term) {
    const text = filled(term.text, tokens).repeat(term.times ?? 1);
    return term.escaped ? `"${escapes(text)}"` : JSON.stringify(text);
  }
  if ('raw' in term) return filled(term.raw, tokens);
  if ('row' in term) return `[${term.row.map((one, i) => jsonOf(one, numbered(tokens, i))).join(',')}]`;
  if ('joined' in term) return JSON.stringify(term.joined.map((one) => plainText(one, tokens)).join(''));
  if ('part' in term) return 'null';
  if ('kept' in term) return jsonOf(term.kept, tokens);
  if ('list' in term) return `[${many(term.count, (i) => jsonOf(term.list, numbered(tokens, i)))}]`;
  if ('object' in term) return objectOf(term.object, term.more ?? [], tokens);
  const [open, close] = term.in === 'list' ? ['[', ']'] : ['{"d":', '}'];
  return `${open.repeat(term.depth)}${jsonOf(term.nest, tokens)}${close.repeat(term.depth)}`;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** About how many bytes `jsonOf` will write, without writing them. */
export const bytesOf = (term: Term): number => {
  if ('text' in term) {
    const once = term.escaped ? term.text.length * 6 : Buffer.byteLength(term.text);
    return 2 + (term.times ?? 1) * once;
  }
  if ('raw' in term) return Buffer.byteLength(term.raw);
  if ('row' in term) return 2 + sum(term.row.map((one) => bytesOf(one) + 1));
  if ('joined' in term) return sum(term.joined.map(bytesOf));
  if ('part' in term) return 4;
  if ('kept' in term) return bytesOf(term.kept);
  if ('list' in term) return 2 + term.count * (bytesOf(term.list) + 1);
  if ('nest' in term) return bytesOf(term.nest) + term.depth * (term.in === 'list' ? 2 : 6);
  const named = Object.entries(term.object).map(([name, value]) => name.length + 4 + bytesOf(value));
  const more = (term.more ?? []).map(({ name, value, count }) => count * (name.length + 6 + bytesOf(value)));
  return 2 + sum(named) + sum(more);
};

/** So often, where it is said. */
export const text = (of: string, times?: number): Term => ({
  text: of,
  ...(times !== undefined && { times }),
});

/** An object of these members. A text is itself. */
export const objectWith = (members: Readonly<Record<string, Term | string>>): Term => ({
  object: Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, typeof one === 'string' ? text(one) : one]),
  ),
});

/** Any JSON as a term. */
export const termOf = (value: unknown): Term => {
  if (typeof value === 'string') return { text: value };
  if (typeof value !== 'object' || value === null) return { raw: JSON.stringify(value) ?? 'null' };
  if (Array.isArray(value)) return { row: value.map(termOf) };
  return {
    object: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, termOf(one)])),
  };
};
