import type { WorkspaceSettings } from '@roster/access';
import type { Tools } from '../act.ts';
import { missing, type Result } from '../result.ts';
import { table } from '../shown.ts';
import { didYouMean } from '../suggest.ts';
import { chosenWorkspace, workspaceOf } from './workspace.ts';

export interface Options {
  workspace?: string;
  /** How many people are shown. */
  people: number;
}

type Segment = WorkspaceSettings['segments'][number];

export const settingsOf = async (
  { servers }: Tools,
  options: Pick<Options, 'workspace'>,
): Promise<WorkspaceSettings> => workspaceOf(servers, await chosenWorkspace(servers, options));

export const segmentIn = ({ id: ws, segments }: WorkspaceSettings, id: string): Segment => {
  const found = segments.find((one) => one.id === id);
  if (found) return found;
  const ids = segments.map((one) => one.id);
  const hint = didYouMean(id, ids, '"roster segment list" shows them.');
  throw missing(`the workspace ${ws} has no segment ${id}. ${hint}`);
};

/** The first so many, by service id. */
export const sample = async (tools: Tools, id: string, options: Options): Promise<Result> => {
  const settings = await settingsOf(tools, options);
  const { audience } = segmentIn(settings, id);
  const store = await tools.servers.store();
  const ids: string[] = [];
  for await (const page of store.audiences.pages({ ws: settings.id, audiences: [audience] })) {
    ids.push(...page.ids);
    if (ids.length >= options.people) break;
  }
  const people = await store.profiles
    .find(
      { _id: { $in: ids.slice(0, options.people) } },
      { projection: { external_id: 1, 'fields.email.v': 1 } },
    )
    .sort({ _id: 1 })
    .toArray();
  const rows = people.map(({ _id, external_id, fields }) => ({
    service_id: _id,
    external_id: external_id ?? null,
    email: fields?.email?.v ?? null,
  }));
  return {
    json: rows,
    text: table(
      ['SERVICE ID', 'EXTERNAL ID', 'EMAIL'],
      rows.map((row) => [row.service_id, row.external_id ?? '-', String(row.email ?? '-')]),
    ),
  };
};
