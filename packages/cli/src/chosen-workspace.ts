/** The workspace that a command is about. */
import { upToDate, type WorkspaceSettings } from '@roster/access';
import { missing, wrong } from './result.ts';
import type { Servers } from './servers.ts';
import { didYouMean } from './suggest.ts';

/** The workspace, or an end that lists the existing ones. */
export const workspaceOf = async (servers: Servers, id: string): Promise<WorkspaceSettings> => {
  const store = await servers.store();
  const settings = await store.workspaces.get<WorkspaceSettings>(id);
  if (settings) return upToDate(settings);
  const ids = (await store.workspaces.list()).map((workspace) => workspace.id);
  const hint = didYouMean(id, ids, 'Make it with "roster workspace apply <file>".');
  throw missing(`there is no workspace ${id}. ${hint}`);
};

/** Where one is not named it is ROSTER_WORKSPACE; with one workspace there is nothing to choose. */
export const chosenWorkspace = async (
  servers: Servers,
  { workspace = servers.workspace }: { workspace?: string },
): Promise<WorkspaceSettings> => {
  if (workspace !== undefined) return workspaceOf(servers, workspace);
  const all = await (await servers.store()).workspaces.list<WorkspaceSettings>();
  const [only, ...more] = all;
  if (!only) throw missing('there is no workspace. Make one with "roster workspace apply <file>".');
  if (more.length > 0)
    throw wrong(
      `there are several workspaces: ${all.map(({ id }) => id).join(', ')}. Pass --workspace <id>, or set ROSTER_WORKSPACE.`,
    );
  return upToDate(only);
};
