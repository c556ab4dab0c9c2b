// What callers say of people, in the words of the interface.

export interface AliasName {
  alias_label: string;
  alias_name: string;
}

/** The person of an entry. */
export type Who = { external_id: string } | { user_alias: AliasName } | { email: string };

export const ext = (id: string): { external_id: string } => ({ external_id: id });

export const aliasOf = (label: string, name: string): { user_alias: AliasName } => ({
  user_alias: { alias_label: label, alias_name: name },
});

/**
 * One happening, known by its token ever after: an event, a purchase for 1, and a counter that goes up by one. A person who
 * is known by an alias only is created, too.
 */
export const happening = (who: Who, token: string, counter = 'visits') => {
  const time = new Date().toISOString();
  const creating = 'user_alias' in who ? { _update_existing_only: false } : {};
  return {
    attributes: [{ ...who, ...creating, colour: token, [counter]: { inc: 1 } }],
    events: [{ ...who, name: token, time }],
    purchases: [{ ...who, product_id: token, currency: 'USD', price: 1, time }],
  };
};

export const merging = (...pairs: readonly (readonly [away: object, kept: object])[]) => ({
  merge_updates: pairs.map(([identifier_to_merge, identifier_to_keep]) => ({
    identifier_to_merge,
    identifier_to_keep,
  })),
});

export const identifying = (
  behaviour: 'merge' | 'none',
  ...pairs: readonly (readonly [alias: { user_alias: AliasName }, external_id: string])[]
) => ({
  aliases_to_identify: pairs.map(([alias, external_id]) => ({ ...alias, external_id })),
  merge_behavior: behaviour,
});

export const renamingAliases = (
  label: string,
  ...pairs: readonly (readonly [from: string, to: string])[]
) => ({
  alias_updates: pairs.map(([old_alias_name, new_alias_name]) => ({
    alias_label: label,
    old_alias_name,
    new_alias_name,
  })),
});

export const renaming = (from: string, to: string) => ({
  external_id_renames: [{ current_external_id: from, new_external_id: to }],
});
