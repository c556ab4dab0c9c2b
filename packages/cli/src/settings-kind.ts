/** Settings that are kept in files, workspaces and companies: `list`, `show` and `apply`. */
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { Act, Tools } from './act.ts';
import { apply, type Settings, type SettingsKind } from './apply-settings.ts';
import type { Result } from './result.ts';
import { table } from './shown.ts';

const list = async <Kept extends Settings>({ servers }: Tools, kind: SettingsKind<Kept>): Promise<Result> => {
  const stored = await (await servers.store())[kind.stored].list<Kept>();
  const all = kind.upToDate ? stored.map(kind.upToDate) : stored;
  const cells = Object.values(kind.columns);
  const rows = all.map((settings) => cells.map((cell) => String(cell(settings))));
  return { json: all, text: table(Object.keys(kind.columns), rows) };
};

export const addSettingsCommands = <Kept extends Settings>(
  program: Command,
  act: Act,
  kind: SettingsKind<Kept>,
): void => {
  const { about, show, argument, applyHelp } = kind.words;
  const family = program.command(kind.what).description(about);
  family
    .command('list')
    .description(`all ${kind.stored}`)
    .action(act((tools) => list(tools, kind)));
  family
    .command('show')
    .description(`${show}, as a file that can be applied`)
    .argument(...argument)
    .action(
      act(async ({ servers }, id: string) => {
        const settings = await kind.find(servers, id);
        return { json: settings, text: stringify(settings) };
      }),
    );
  family
    .command('apply')
    .description(`make or change ${kind.stored} from a YAML or JSON file`)
    .argument('<file>', 'the file; - is standard input')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', applyHelp)
    .action(act((tools, file: string, options: { dryRun?: boolean }) => apply(tools, kind, file, options)));
};
