import { namesOfKeys } from '@roster/store';
import type { Tools } from '../act.ts';
import type { Result } from '../result.ts';
import { table, timeOfStamp } from '../shown.ts';
import { chosenWorkspace } from './workspace.ts';

export interface Options {
  workspace?: string;
  version?: number;
  variables?: string;
  html?: boolean;
}

/** A key that is gone has only its id. */
export const shownKey = (names: ReadonlyMap<string, string | null>, id: string | undefined): string =>
  id === undefined ? '-' : (names.get(id) ?? id);

/** Of a block that no key made, nothing. */
export const byName = (names: ReadonlyMap<string, string | null>, by: string | undefined) =>
  by && { by_name: names.get(by) ?? null };

export const list = async ({ servers }: Tools, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(servers, options);
  const store = await servers.store();
  const found = await store.content.blocks
    .find({ ws }, { projection: { content: 0 } })
    .sort({ name: 1 })
    .toArray();
  const names = await namesOfKeys(
    store,
    found.map(({ by }) => by),
  );
  const rows = found.map(({ name, state, version, edited, by, includes }) => [
    name,
    state,
    String(version),
    timeOfStamp(edited),
    shownKey(names, by),
    includes.join(' '),
  ]);
  return {
    json: found.map(({ _id, ws: _, created, edited, ...block }) => ({
      id: _id,
      ...block,
      ...byName(names, block.by),
      created: timeOfStamp(created),
      edited: timeOfStamp(edited),
    })),
    text: table(['NAME', 'STATE', 'VERSION', 'EDITED', 'BY KEY', 'INCLUDES'], rows),
  };
};
