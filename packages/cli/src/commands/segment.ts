/** Segments, the named audiences of a workspace: `roster segment list | count | sample`. */
import type { WorkspaceSettings } from '@roster/access';
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { withProgress } from '../person.ts';
import { missing, type Result } from '../result.ts';
import { number, table } from '../shown.ts';
import { didYouMean } from '../suggest.ts';
import { wholeNumber } from '../whole-number.ts';
import { chosenWorkspace, workspaceOf } from './workspace.ts';

interface Options {
  workspace?: string;
  /** How many people are shown. */
  people: number;
}

type Segment = WorkspaceSettings['segments'][number];

const settingsOf = async (
  { servers }: Tools,
  options: Pick<Options, 'workspace'>,
): Promise<WorkspaceSettings> => workspaceOf(servers, await chosenWorkspace(servers, options));

const segmentIn = ({ id: ws, segments }: WorkspaceSettings, id: string): Segment => {
  const found = segments.find((one) => one.id === id);
  if (found) return found;
  const ids = segments.map((one) => one.id);
  const hint = didYouMean(id, ids, '"roster segment list" shows them.');
  throw missing(`the workspace ${ws} has no segment ${id}. ${hint}`);
};

const list = async (tools: Tools, options: Options): Promise<Result> => {
  const { segments } = await settingsOf(tools, options);
  return {
    json: segments,
    text: table(
      ['ID', 'NAME'],
      segments.map(({ id, name }) => [id, name]),
    ),
  };
};

const count = async (tools: Tools, id: string, options: Options): Promise<Result> => {
  const settings = await settingsOf(tools, options);
  const { audience } = segmentIn(settings, id);
  const { audiences } = await tools.servers.store();
  const people = await withProgress(tools.io, (progress) =>
    audiences.count({ ws: settings.id, audiences: [audience] }, (looked) =>
      progress.show(undefined, () => [`${number(looked)} people looked at`]),
    ),
  );
  return { json: { id, people }, text: `${number(people)} ${people === 1 ? 'person' : 'people'}\n` };
};

/** The first so many, by service id. */
const sample = async (tools: Tools, id: string, options: Options): Promise<Result> => {
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

const help = `
A segment is an audience with a name; segments stand in the file of their workspace ("roster workspace apply --help" shows one). It is read as
people are at that moment. Comparisons of attributes: equals, not_equal, does_not_equal, exists, does_not_exist, matches_regex,
does_not_match_regex, includes_value, does_not_include_value, greater_than, greater_than_or_equal_to, less_than,
less_than_or_equal_to, after, before, less_than_x_days_ago, greater_than_x_days_ago, less_than_x_days_in_the_future,
greater_than_x_days_in_the_future.

Examples:
  $ roster segment list
  $ roster segment count gold
  $ roster segment sample gold --people 5 --json`;

export const addSegmentCommands = (program: Command, act: Act): void => {
  const family = program
    .command('segment')
    .description('segments: who belongs to an audience')
    .addHelpText('after', help);
  const command = (words: string, description: string): Command =>
    family.command(words).description(description).option('--workspace <id>', 'the workspace of the segment');
  command('list', 'all segments').action(act(list));
  command('count <id>', 'how many people belong to it now').action(act(count));
  command('sample <id>', 'some of the people who belong to it now')
    .option('--people <number>', 'so many', wholeNumber(1, 1000), 10)
    .action(act(sample));
};
