/**
 * The work of this worker for each operation of its queue. An operation without a line, or a list of people that no line reads, does not
 * compile. The reader of an entry says what it does, and to which people; the rules (`@roster/profile`) follow from that.
 */
import type { Applied } from '@roster/batch';
import {
  type AcceptedRequest,
  type AliasUpdate,
  type ListsOf,
  lineOf,
  type MergeIdentifier,
  type MergeUpdate,
  type NewAlias,
  type OperationsOf,
  type Rename,
  type UserAlias,
} from '@roster/contract';
import {
  type EntryNote,
  type IdentityEntry,
  type IdentityRequest,
  identifierOf,
  type ListedEntry,
  type NamedByEntry,
  type NamedPerson,
} from '@roster/profile';
import { bodyOf, counted, type IdentityBody, type ResultOf, removed, renamed } from './results.ts';

/** The judge has seen that the member is there by which a list names people. */
type Entry = Required<NamedByEntry> & UserAlias & Pick<NamedPerson, 'prioritization'>;

const person = (
  by: NamedByEntry,
  { prioritization = [] }: Pick<NamedPerson, 'prioritization'>,
): NamedPerson => {
  const who = identifierOf(by);
  if (!who) throw new TypeError('an entry was accepted without an identifier');
  return { who, prioritization };
};

const mergeSide = ({ service_id: _, ...side }: MergeIdentifier & NamedByEntry): NamedPerson =>
  person(side, side);

const identified =
  (by: (entry: Entry) => NamedByEntry) =>
  (entry: Entry, { merge_behavior }: IdentityBody): IdentityEntry => ({
    do: 'identify',
    external_id: entry.external_id,
    named: person(by(entry), entry),
    merges: merge_behavior === 'merge',
  });

const deleted =
  (by: (entry: Entry) => NamedByEntry) =>
  (entry: Entry): IdentityEntry => ({ do: 'delete', named: person(by(entry), entry) });

/** Entries of such a list change nothing; the notes of the outcome name each. */
const notUsed = 'not_used';

type ListReader = ((entry: never, body: IdentityBody) => IdentityEntry) | typeof notUsed;

interface IdentityLine<List extends string = string> {
  /** How each list is read, in the order in which the lists are applied. */
  readonly reads: { readonly [Name in List]: ListReader };
  /** The body of the answer after the request was applied; `receipt`: the operation is answered before. */
  readonly result: ResultOf | 'receipt';
}

type IdentityLines = { readonly [Id in OperationsOf<'identity'>]: IdentityLine<ListsOf<Id>> };

const lines: IdentityLines = {
  'users.alias.new': {
    reads: {
      user_aliases: ({ alias_label, alias_name, external_id }: NewAlias) => ({
        do: 'alias_new',
        label: alias_label,
        name: alias_name,
        ...(external_id != null && { external_id }),
      }),
    },
    result: counted('aliases_processed'),
  },
  'users.alias.update': {
    reads: {
      alias_updates: ({ alias_label, old_alias_name, new_alias_name }: AliasUpdate) => ({
        do: 'alias_update',
        label: alias_label,
        from: old_alias_name,
        to: new_alias_name,
      }),
    },
    result: counted('aliases_processed'),
  },
  'users.identify': {
    reads: {
      aliases_to_identify: identified(({ user_alias }) => ({ user_alias })),
      emails_to_identify: identified(({ email }) => ({ email })),
      phone_numbers_to_identify: identified(({ phone }) => ({ phone })),
      email_addresses: notUsed,
    },
    result: counted('aliases_processed'),
  },
  'users.merge': {
    reads: {
      merge_updates: ({ identifier_to_merge, identifier_to_keep }: MergeUpdate) => ({
        do: 'merge',
        away: mergeSide(identifier_to_merge),
        kept: mergeSide(identifier_to_keep),
      }),
    },
    result: 'receipt',
  },
  'users.delete': {
    reads: {
      external_ids: deleted(({ external_id }) => ({ external_id })),
      user_aliases: deleted((user_alias) => ({ user_alias })),
      service_ids: deleted(({ service_id }) => ({ service_id })),
      email_addresses: deleted(({ email }) => ({ email })),
      phone_numbers: deleted(({ phone }) => ({ phone })),
    },
    result: counted('deleted'),
  },
  'users.external_ids.rename': {
    reads: {
      external_id_renames: ({ current_external_id, new_external_id }: Rename) => ({
        do: 'rename',
        from: current_external_id,
        to: new_external_id,
      }),
    },
    result: renamed,
  },
  'users.external_ids.remove': {
    reads: { external_ids: ({ external_id }: Entry) => ({ do: 'remove', external_id }) },
    result: removed,
  },
};

export const lineFor = ({ op }: Pick<AcceptedRequest, 'op'>): IdentityLine => lineOf(lines, op);

/** The answer of the operation. */
export const resultOf = (request: AcceptedRequest, applied: Applied): object => {
  const { result } = lineFor(request);
  if (result === 'receipt') throw new Error(`${request.op} is answered with a receipt`);
  return result(request, applied);
};

const unusedIn = (array: string, entries: readonly unknown[]): EntryNote<string>[] =>
  entries.map((_, index) => ({ input_array: array, index, reason: notUsed }));

/** The request, as the rules take it. */
export const identityRequest = (request: AcceptedRequest): IdentityRequest => {
  const body = bodyOf(request);
  const lists: IdentityRequest['lists'] = {};
  const notes: EntryNote<string>[] = [];
  for (const [array, read] of Object.entries(lineFor(request).reads)) {
    const entries = body[array];
    if (!Array.isArray(entries)) continue;
    if (read === notUsed) notes.push(...unusedIn(array, entries));
    else
      lists[array] = entries.map(
        (entry): ListedEntry => (typeof entry === 'string' ? entry : read(entry as never, body)),
      );
  }
  return { id: request.id, ws: request.ws, at: request.at, lists, notes };
};
