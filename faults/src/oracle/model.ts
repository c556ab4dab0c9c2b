/**
 * Who is who, told once more from the interface's own sentences (api.md: Endpoints; decisions.md: Identity) and sharing no code with
 * the services: one person after the other, one operation after the other. What the services do at once must look like one such order.
 */

export interface AliasRef {
  label: string;
  name: string;
}

/** Whom an operation names: by external id or by alias. */
export type Ref = { ext: string } | { alias: AliasRef };

export type Operation =
  /** One request with an attribute object and an event: `token` names the event and is the colour; `visits` goes up by one. */
  | { do: 'track'; who: Ref; token: string; create: boolean }
  | { do: 'alias-new'; ext?: string; alias: AliasRef }
  | { do: 'alias-update'; label: string; from: string; to: string }
  | { do: 'identify'; ext: string; alias: AliasRef; merge: boolean }
  | { do: 'merge'; from: Ref; into: Ref }
  | { do: 'delete'; who: Ref }
  | { do: 'rename'; from: string; to: string };

export interface Person {
  ext?: string;
  /** External ids before a rename; they go on leading here. */
  former: string[];
  aliases: AliasRef[];
  /** What was tracked, each once. */
  tokens: string[];
  colour?: string;
  visits?: number;
}

/** Everybody, in the order in which they came. Never changed in place. */
export type State = readonly Person[];

const isAlias = (a: AliasRef, b: AliasRef): boolean => a.label === b.label && a.name === b.name;

const answersTo = (person: Person, who: Ref): boolean =>
  'ext' in who
    ? person.ext === who.ext || person.former.includes(who.ext)
    : person.aliases.some((alias) => isAlias(alias, who.alias));

const find = (state: State, who: Ref): Person | undefined => state.find((person) => answersTo(person, who));

const replace = (state: State, old: Person, next: Person): State =>
  state.map((person) => (person === old ? next : person));

const without = (state: State, gone: Person): State => state.filter((person) => person !== gone);

const nobody: Person = { former: [], aliases: [], tokens: [] };

const named = (who: Ref): Person =>
  'ext' in who ? { ...nobody, ext: who.ext } : { ...nobody, aliases: [who.alias] };

const tracked = (person: Person, token: string): Person => ({
  ...person,
  tokens: [...person.tokens, token],
  colour: token,
  visits: (person.visits ?? 0) + 1,
});

/** An external id creates; an alias only when it is said. */
const track = (state: State, { who, token, create }: Extract<Operation, { do: 'track' }>): State => {
  const known = find(state, who);
  if (known) return replace(state, known, tracked(known, token));
  return 'ext' in who || create ? [...state, tracked(named(who), token)] : state;
};

const hasLabel = (person: Person, label: string): boolean =>
  person.aliases.some((alias) => alias.label === label);

/** A name that somebody has stays theirs; a label that the person has keeps its name. */
const aliasNew = (state: State, { ext, alias }: Extract<Operation, { do: 'alias-new' }>): State => {
  if (find(state, { alias })) return state;
  if (ext === undefined) return [...state, named({ alias })];
  const person = find(state, { ext });
  if (!person || hasLabel(person, alias.label)) return state;
  return replace(state, person, { ...person, aliases: [...person.aliases, alias] });
};

const aliasUpdate = (
  state: State,
  { label, from, to }: Extract<Operation, { do: 'alias-update' }>,
): State => {
  const old: AliasRef = { label, name: from };
  const person = find(state, { alias: old });
  if (!person || find(state, { alias: { label, name: to } })) return state;
  const aliases = person.aliases.map((alias) => (isAlias(alias, old) ? { label, name: to } : alias));
  return replace(state, person, { ...person, aliases });
};

const joinedAliases = (kept: Person, gone: Person): AliasRef[] => [
  ...kept.aliases,
  ...gone.aliases.filter(({ label }) => !hasLabel(kept, label)),
];

/** What the kept one has stays; what it lacks comes over; what happened is joined. Deprecated ids of the other lead to nobody from then on. */
const merged = (kept: Person, gone: Person): Person => {
  const person: Person = {
    ...kept,
    aliases: joinedAliases(kept, gone),
    tokens: [...kept.tokens, ...gone.tokens],
  };
  if (kept.ext === undefined && gone.ext !== undefined) person.ext = gone.ext;
  if (kept.colour === undefined && gone.colour !== undefined) person.colour = gone.colour;
  if (kept.visits === undefined && gone.visits !== undefined) person.visits = gone.visits;
  return person;
};

const merge = (state: State, from: Ref, into: Ref): State => {
  const [gone, kept] = [find(state, from), find(state, into)];
  if (!gone || !kept || gone === kept) return state;
  return without(replace(state, kept, merged(kept, gone)), gone);
};

/** Only somebody without an external id can be identified; with `none` only the aliases come over. */
const identify = (
  state: State,
  { ext, alias, merge: all }: Extract<Operation, { do: 'identify' }>,
): State => {
  const visitor = find(state, { alias });
  if (!visitor || visitor.ext !== undefined) return state;
  const person = find(state, { ext });
  if (!person) return replace(state, visitor, { ...visitor, ext });
  if (hasLabel(person, alias.label)) return state;
  const next = all ? merged(person, visitor) : { ...person, aliases: joinedAliases(person, visitor) };
  return without(replace(state, person, next), visitor);
};

/** The current id must be the person's own, the new one must never have been anybody's. */
const rename = (state: State, from: string, to: string): State => {
  const person = state.find(({ ext }) => ext === from);
  if (!person || find(state, { ext: to })) return state;
  return replace(state, person, { ...person, ext: to, former: [...person.former, from] });
};

const remove = (state: State, who: Ref): State => {
  const person = find(state, who);
  return person ? without(state, person) : state;
};

export const apply = (state: State, operation: Operation): State => {
  switch (operation.do) {
    case 'track':
      return track(state, operation);
    case 'alias-new':
      return aliasNew(state, operation);
    case 'alias-update':
      return aliasUpdate(state, operation);
    case 'identify':
      return identify(state, operation);
    case 'merge':
      return merge(state, operation.from, operation.into);
    case 'delete':
      return remove(state, operation.who);
    case 'rename':
      return rename(state, operation.from, operation.to);
  }
};

const keyOf = (who: Ref): string => ('ext' in who ? who.ext : `${who.alias.label}/${who.alias.name}`);

const keysOf = (person: Person): string[] =>
  [
    ...(person.ext === undefined ? [] : [person.ext]),
    ...person.former,
    ...person.aliases.map((alias) => keyOf({ alias })),
  ].sort();

/** A person as one text, the same for the same person however it came about. */
export const written = (person: Person): string =>
  JSON.stringify([
    keysOf(person),
    person.ext ?? null,
    [...person.tokens].sort(),
    person.colour ?? null,
    person.visits ?? null,
  ]);

/** Whoever nobody can name any more can't be seen from outside. */
export const writtenAll = (state: State): string =>
  state
    .filter((person) => keysOf(person).length > 0)
    .map(written)
    .sort()
    .join('\n');

export const nameOf = keyOf;
