import type { Store } from '../connection/open-store.ts';

/** The names of API keys by their ids; null for a key that is gone. */
export const namesOfKeys = async ({ keys }: Pick<Store, 'keys'>, ids: readonly (string | undefined)[]) => {
  const asked = [...new Set(ids.flatMap((id) => id ?? []))];
  const found = await Promise.all(asked.map((id) => keys.get<{ id: string; name: string }>(id)));
  return new Map(asked.map((id, place) => [id, found[place]?.name ?? null]));
};
