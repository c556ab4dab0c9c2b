/** Segments, the named audiences of a workspace: `roster segment list | count | sample`. */
import { type Family, type WorkspaceTools, wholeNumber } from '../command.ts';
import { withProgress } from '../person.ts';
import type { Result } from '../result.ts';
import { number, plain, table } from '../shown.ts';
import { named } from '../suggest.ts';

interface Options {
  /** How many people are shown. */
  people: number;
}

const audienceOf = ({ settings: { segments }, ws }: WorkspaceTools, id: string) => {
  const [what, otherwise] = [`the workspace ${ws} has no segment`, '"roster segment list" shows them.'];
  const { audience } = named(segments, id, { what, otherwise });
  return { ws, audiences: [audience] };
};

const list = ({ settings: { segments } }: WorkspaceTools): Result => ({
  json: segments,
  text: table(segments, plain('id', 'name')),
});

const count = async (tools: WorkspaceTools, id: string): Promise<Result> => {
  const wanted = audienceOf(tools, id);
  const people = await withProgress(tools.io, (progress) =>
    tools.store.audiences.count(wanted, (looked) =>
      progress.show(undefined, () => [`${number(looked)} people looked at`]),
    ),
  );
  return { json: { id, people }, text: `${number(people)} ${people === 1 ? 'person' : 'people'}\n` };
};

/** The first so many, by service id. */
const sample = async (tools: WorkspaceTools, id: string, options: Options): Promise<Result> => {
  const wanted = audienceOf(tools, id);
  const { store } = tools;
  const ids: string[] = [];
  for await (const page of store.audiences.pages(wanted)) {
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
  return { json: rows, text: table(rows, plain('service_id', 'external_id', 'email')) };
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

const workspace = 'the workspace of the segment';

export const segmentCommands: Family = {
  about: 'segments: who belongs to an audience',
  example: 'roster segment count gold',
  help,
  commands: {
    list: { about: 'all segments', workspace, run: list },
    'count <id>': { about: 'how many people belong to it now', workspace, run: count },
    'sample <id>': {
      about: 'some of the people who belong to it now',
      workspace,
      flags: { '--people <number>': wholeNumber('so many', [1, 1000], 10) },
      run: sample,
    },
  },
};
