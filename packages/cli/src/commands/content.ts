/** Content blocks: `roster content list | show | render`. Changes are made by the interface, which knows who makes them. */
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { wholeNumber } from '../whole-number.ts';
import { list } from './content-list.ts';
import { render } from './content-render.ts';
import { show } from './content-show.ts';

const help = `
Without --workspace there must be only one. --variables is a JSON file; its members are the names that the content uses.

Examples:
  $ roster content list
  $ roster content show footer --version 2
  $ roster content render letter --variables ada.json --html`;

export const addContentCommands = (program: Command, act: Act): void => {
  const family = program.command('content').description('content blocks').addHelpText('after', help);
  const command = (words: string, description: string): Command =>
    family.command(words).description(description).option('--workspace <id>', 'the workspace of the block');
  const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);
  command('list', 'all content blocks, and who changed them last').action(act(list));
  command('show <name>', 'the content of a block')
    .option('--version <number>', 'as it was then', version)
    .action(act(show));
  command('render <name>', 'a block with all that it includes')
    .option('--version <number>', 'as it was then', version)
    .option('--variables <file>', 'what the content may use, as JSON')
    .option('--html', 'escape values for HTML')
    .action(act(render));
};
