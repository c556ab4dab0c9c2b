/** From what the judge accepted to the entries of the rules. This is the one place that believes the body. */
import type {
  AcceptedRequest,
  AliasToIdentify,
  AliasUpdate,
  EmailToDelete,
  EmailToIdentify,
  EntryError,
  MergeIdentifier,
  MergeUpdate,
  NewAlias,
  OperationId,
  PhoneToDelete,
  PhoneToIdentify,
  Rename,
  UserAlias,
} from '@roster/contract';
import type { EntryNote, IdentityEntry, IdentityRequest, ListedEntry, Named } from '@roster/profile';

type Lists = { [array: string]: unknown };

/** `errors`: what was refused before it came here. */
interface Body extends Lists {
  errors?: EntryError[];
  merge_behavior?: 'none' | 'merge' | null;
}

const alias = ({ alias_label, alias_name }: UserAlias): Named => ({
  who: { by: 'user_alias', label: alias_label, name: alias_name },
});
const byEmail = ({ email, prioritization }: EmailToDelete): Named => ({
  who: { by: 'email', email },
  prioritization,
});
const byPhone = ({ phone, prioritization }: PhoneToDelete): Named => ({
  who: { by: 'phone', phone },
  prioritization,
});
const byExternalId = (id: string): Named => ({ who: { by: 'external_id', id } });

const mergeSide = (side: MergeIdentifier): Named => {
  const { external_id, user_alias, email, phone, prioritization = [] } = side;
  if (external_id != null) return byExternalId(external_id);
  if (user_alias != null) return alias(user_alias);
  return email == null ? byPhone({ phone: phone ?? '', prioritization }) : byEmail({ email, prioritization });
};

type Reader = (entry: never, body: Body) => IdentityEntry;

const newAlias: Reader = ({ alias_label, alias_name, external_id }: NewAlias) => ({
  do: 'alias_new',
  label: alias_label,
  name: alias_name,
  ...(external_id != null && { external_id }),
});

const aliasUpdate: Reader = ({ alias_label, old_alias_name, new_alias_name }: AliasUpdate) => ({
  do: 'alias_update',
  label: alias_label,
  from: old_alias_name,
  to: new_alias_name,
});

const identify =
  <Entry extends { external_id: string }>(named: (entry: Entry) => Named) =>
  (entry: Entry, { merge_behavior }: Body): IdentityEntry => ({
    do: 'identify',
    external_id: entry.external_id,
    named: named(entry),
    merges: merge_behavior === 'merge',
  });

const merge: Reader = ({ identifier_to_merge, identifier_to_keep }: MergeUpdate) => ({
  do: 'merge',
  away: mergeSide(identifier_to_merge),
  kept: mergeSide(identifier_to_keep),
});

const deleted =
  <Entry>(named: (entry: Entry) => Named) =>
  (entry: Entry): IdentityEntry => ({ do: 'delete', named: named(entry) });

const rename: Reader = ({ current_external_id, new_external_id }: Rename) => ({
  do: 'rename',
  from: current_external_id,
  to: new_external_id,
});

const removal: Reader = ({ external_id }: { external_id: string }) => ({ do: 'remove', external_id });

type Readers = { readonly [array: string]: Reader };

/** The lists of each operation, in the order in which they are applied. */
const readers: { readonly [Id in OperationId]?: Readers } = {
  'users.alias.new': { user_aliases: newAlias },
  'users.alias.update': { alias_updates: aliasUpdate },
  'users.identify': {
    aliases_to_identify: identify(({ user_alias }: AliasToIdentify) => alias(user_alias)),
    emails_to_identify: identify((entry: EmailToIdentify) => byEmail(entry)),
    phone_numbers_to_identify: identify((entry: PhoneToIdentify) => byPhone(entry)),
  },
  'users.merge': { merge_updates: merge },
  'users.delete': {
    external_ids: deleted(({ external_id }: { external_id: string }) => byExternalId(external_id)),
    user_aliases: deleted(alias),
    service_ids: deleted(({ service_id }: { service_id: string }) => ({
      who: { by: 'service_id', id: service_id },
    })),
    email_addresses: deleted(byEmail),
    phone_numbers: deleted(byPhone),
  },
  'users.external_ids.rename': { external_id_renames: rename },
  'users.external_ids.remove': { external_ids: removal },
};

const bodyOf = ({ body }: AcceptedRequest): Body => (body ?? {}) as Body;

/** Refused before they came here. */
export const refusedBefore = (request: AcceptedRequest): EntryError[] => bodyOf(request).errors ?? [];

/** Emails of an identify that say nothing of who has them. */
const unusedIn = (request: AcceptedRequest): EntryNote<string>[] => {
  const unused = request.op === 'users.identify' ? bodyOf(request).email_addresses : undefined;
  const count = Array.isArray(unused) ? unused.length : 0;
  return Array.from({ length: count }, (_, index) => ({
    input_array: 'email_addresses',
    index,
    reason: 'not_used',
  }));
};

export const identityRequest = (request: AcceptedRequest): IdentityRequest => {
  const body = bodyOf(request);
  const lists: IdentityRequest['lists'] = {};
  for (const [array, read] of Object.entries(readers[request.op] ?? {})) {
    const entries = body[array];
    if (!Array.isArray(entries)) continue;
    lists[array] = entries.map(
      (entry): ListedEntry => (typeof entry === 'string' ? entry : read(entry as never, body)),
    );
  }
  return { id: request.id, ws: request.ws, at: request.at, lists, notes: unusedIn(request) };
};
