/**
 * The work of this worker for each operation of its queue. An operation without a line, or a list of people that no line reads, does not
 * compile. The reader of an entry says what it does, and to which people; the rules (`@roster/profile`) follow from that.
 */
import type { Applied } from '@roster/batch';
import { type AcceptedRequest, type ListsOf, lineOf, type OperationsOf } from '@roster/contract';
import {
  aliasUpdate,
  deletedByAlias,
  deletedByEmail,
  deletedByExternalId,
  deletedByPhone,
  deletedByServiceId,
  type EntryReader,
  identifiedByAlias,
  identifiedByEmail,
  identifiedByPhone,
  merge,
  newAlias,
  removal,
  rename,
} from './readers.ts';
import { counted, type ResultOf, removed, renamed } from './results.ts';

/** Entries of such a list change nothing; the notes of the outcome name each. */
export const notUsed = 'not_used';

type ListReader = EntryReader | typeof notUsed;

interface IdentityLine<List extends string = string> {
  /** How each list is read, in the order in which the lists are applied. */
  readonly reads: { readonly [Name in List]: ListReader };
  /** The body of the answer after the request was applied; `receipt`: the operation is answered before. */
  readonly result: ResultOf | 'receipt';
}

type IdentityLines = { readonly [Id in OperationsOf<'identity'>]: IdentityLine<ListsOf<Id>> };

const lines: IdentityLines = {
  'users.alias.new': {
    reads: { user_aliases: newAlias },
    result: counted('aliases_processed'),
  },
  'users.alias.update': {
    reads: { alias_updates: aliasUpdate },
    result: counted('aliases_processed'),
  },
  'users.identify': {
    reads: {
      aliases_to_identify: identifiedByAlias,
      emails_to_identify: identifiedByEmail,
      phone_numbers_to_identify: identifiedByPhone,
      email_addresses: notUsed,
    },
    result: counted('aliases_processed'),
  },
  'users.merge': { reads: { merge_updates: merge }, result: 'receipt' },
  'users.delete': {
    reads: {
      external_ids: deletedByExternalId,
      user_aliases: deletedByAlias,
      service_ids: deletedByServiceId,
      email_addresses: deletedByEmail,
      phone_numbers: deletedByPhone,
    },
    result: counted('deleted'),
  },
  'users.external_ids.rename': {
    reads: { external_id_renames: rename },
    result: renamed,
  },
  'users.external_ids.remove': { reads: { external_ids: removal }, result: removed },
};

export const lineFor = ({ op }: Pick<AcceptedRequest, 'op'>): IdentityLine => lineOf(lines, op);

/** The answer of the operation. */
export const resultOf = (request: AcceptedRequest, applied: Applied): object => {
  const { result } = lineFor(request);
  if (result === 'receipt') throw new Error(`${request.op} is answered with a receipt`);
  return result(request, applied);
};
