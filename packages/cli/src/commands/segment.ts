/** Segments, the named audiences of a workspace: `roster segment list | count | sample`. */
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { terminalOf } from '../person.ts';
import { createProgress } from '../progress.ts';
import type { Result } from '../result.ts';
import { number, table } from '../shown.ts';
import { wholeNumber } from '../whole-number.ts';
import { type Options, sample, segmentIn, settingsOf } from './segment-sample.ts';

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
  const progress = createProgress(terminalOf(tools.io));
  try {
    const people = await audiences.count({ ws: settings.id, audiences: [audience] }, (looked) =>
      progress.show(undefined, () => [`${number(looked)} people looked at`]),
    );
    return { json: { id, people }, text: `${number(people)} ${people === 1 ? 'person' : 'people'}\n` };
  } finally {
    progress.end();
  }
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
