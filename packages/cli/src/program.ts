/** The commands of `roster`, their help, and the messages of their ends. */
import { stringifyExact, version } from '@roster/contract';
import { ConfigError } from '@roster/runtime';
import { Command, CommanderError, type Option } from 'commander';
import { type Act, addCommands, type Commands } from './command.ts';
import { accessCommands } from './commands/access.ts';
import { auditCommand } from './commands/audit.ts';
import { channelCommands } from './commands/channel.ts';
import { companyCommands } from './commands/company.ts';
import { compareCommand } from './commands/compare.ts';
import { consentCommand } from './commands/consent.ts';
import { contentCommands } from './commands/content.ts';
import { dashboardCommands } from './commands/dashboard.ts';
import { deadCommands } from './commands/dead.ts';
import { demoCommand } from './commands/demo.ts';
import { exportCommand } from './commands/export.ts';
import { historyCommand } from './commands/history.ts';
import { importCommand } from './commands/import.ts';
import { integrationCommands } from './commands/integration.ts';
import { keyCommands } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { partitionsCommand } from './commands/partitions.ts';
import { personCommands } from './commands/person.ts';
import { requestCommands } from './commands/request.ts';
import { retentionCommands } from './commands/retention.ts';
import { scimCommands } from './commands/scim.ts';
import { segmentCommands } from './commands/segment.ts';
import { sendUnsentCommand } from './commands/send-unsent.ts';
import { sendsCommands } from './commands/sends.ts';
import { statusCommand } from './commands/status.ts';
import { workspaceCommands } from './commands/workspace.ts';
import type { Io } from './io.ts';
import { secretsIfKnown, settingsOf } from './local.ts';
import { exitCodes, messageOf, Stop, wrong } from './result.ts';
import { openServers } from './servers.ts';
import { show } from './show.ts';
import { linesOf, quoted } from './shown.ts';

/** In the order of the help. */
export const commands: Commands = {
  status: statusCommand,
  workspace: workspaceCommands,
  keys: keyCommands,
  import: importCommand,
  export: exportCommand,
  history: historyCommand,
  compare: compareCommand,
  'send-unsent': sendUnsentCommand,
  demo: demoCommand,
  request: requestCommands,
  person: personCommands,
  consent: consentCommand,
  content: contentCommands,
  segment: segmentCommands,
  channel: channelCommands,
  sends: sendsCommands,
  integration: integrationCommands,
  dead: deadCommands,
  migrate: migrateCommand,
  'partitions [count]': partitionsCommand,
  retention: retentionCommands,
  access: accessCommands,
  company: companyCommands,
  scim: scimCommands,
  dashboard: dashboardCommands,
  audit: auditCommand,
};

const help = `
Servers: REDIS_URL, MONGO_URL, ROSTER_SECRET and ROSTER_SECRET_ALSO; those that are not set are taken from the local
stack that runs ("npm start"; ROSTER_HOME/local.json, .roster/ unless ROSTER_HOME says otherwise).
Commands about one workspace: --workspace <id>, else ROSTER_WORKSPACE. With one workspace neither is needed.

Examples:
${Object.values(commands)
  .map(({ example }) => `  $ ${example}\n`)
  .join('')}
Exit codes: 0 done, 1 failed (may work later), 2 wrong command or file, 3 no such thing, 4 indexes differ, or the audit log is broken.`;

/** What the person typed before the words of the command. `bin/roster` says how it was called. */
const nameOf = ({ env }: Io): string => {
  if (env.npm_lifecycle_event === 'roster') return 'npm run -s roster --';
  if (env.npm_lifecycle_event === 'npx') return 'npx roster';
  return env.ROSTER_CALLED_AS || 'roster';
};

/** Help, notes and errors name other commands: as the person can type them. */
const asTyped =
  (io: Io, write: (text: string) => void) =>
  (text: string): void =>
    write(text.replace(/(?<=^|[\s"(])roster (?=[a-z])/gm, `${nameOf(io)} `));

/** npm has such a setting too, which may come from a file. */
const mayBeSet = ['--email'];

/** Without `--`, npm takes options for its own, says nothing, and runs the command without them: a dry run would be a real one. */
const refuseSwallowed = (io: Io, args: readonly string[], options: readonly Option[]): void => {
  if (io.env.npm_lifecycle_event !== 'roster') return;
  const swallowed = options.flatMap(({ long = '' }) => {
    const value = io.env[`npm_config_${long.slice(2).replaceAll('-', '_')}`];
    if (!value || mayBeSet.includes(long)) return [];
    return value === 'true' ? [long] : [long, value];
  });
  if (swallowed.length === 0) return;
  const line = [...args, ...swallowed].map(quoted).join(' ');
  throw wrong(`npm took ${swallowed[0]} for itself. Put "--" before the command: ${nameOf(io)} ${line}`);
};

/** Prints a Result; its exit code is left in `end`. */
const acting =
  (io: Io, program: Command, end: { code: number }): Act =>
  async (work) => {
    const servers = openServers(settingsOf(io), {
      secret: secretsIfKnown(io),
      workspace: io.env.ROSTER_WORKSPACE,
    });
    try {
      const result = await work({ io, servers });
      const shown =
        program.opts<{ json?: boolean }>().json && result.json !== undefined
          ? `${stringifyExact(result.json, 2)}\n`
          : result.text;
      await show(io, shown, result.unseen);
      asTyped(io, io.err)(linesOf(result.notes ?? []));
      end.code = result.exitCode ?? exitCodes.done;
    } finally {
      await servers.close();
    }
  };

/** Only as the first word: `--version` of a command means that of a content block. */
const asksForVersion = ([first]: readonly string[]): boolean => first === '--version' || first === '-V';

/** The exit code so far, and the help that is being written. */
interface End {
  code: number;
  help: string;
}

const createProgram = (io: Io, end: End): Command => {
  const program = new Command(nameOf(io));
  program
    .description('Workspaces, keys, outcomes, dead letters and dashboard users of a Roster')
    .option('--json', 'machine-readable results on standard output')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: asTyped(io, (text) => {
        end.help += text;
      }),
      writeErr: asTyped(io, io.err),
    })
    .showHelpAfterError('(add --help for help)')
    .addHelpText('after', help)
    .exitOverride();
  const act = acting(io, program, end);
  addCommands(program, commands, act);
  return program;
};

/** commander has told the person already; asking for help is no fault. */
const endOf = (error: unknown, io: Io): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrong;
  io.err('roster: ');
  asTyped(io, io.err)(`${messageOf(error)}\n`);
  if (error instanceof ConfigError) return exitCodes.wrong;
  return error instanceof Stop ? error.exitCode : exitCodes.failed;
};

/** commander would show the help of the command above. */
const namesUnknown = (program: Command, args: readonly string[]): boolean => {
  let command = program;
  for (const word of args.filter((arg) => !arg.startsWith('-'))) {
    if (command.commands.length === 0) return false;
    const next = command.commands.find((each) => each.name() === word);
    if (!next) return word !== 'help';
    command = next;
  }
  return false;
};

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

const perform = async (args: readonly string[], io: Io, end: End): Promise<void> => {
  const program = createProgram(io, end);
  const words = namesUnknown(program, args) ? args.filter((arg) => !asksForHelp(arg)) : [...args];
  await program
    .hook('preAction', ({ options }, command) => refuseSwallowed(io, args, [...options, ...command.options]))
    .parseAsync(words, { from: 'user' });
};

/** Runs one command line (without `node roster`) and returns its exit code. */
export const runCommand = async (args: readonly string[], io: Io): Promise<number> => {
  if (io.isClosed?.()) {
    io.err('roster: standard output is closed, so no result could be shown. Nothing was done.\n');
    return exitCodes.failed;
  }
  const end: End = { code: exitCodes.done, help: asksForVersion(args) ? `${version}\n` : '' };
  try {
    if (end.help === '') await perform(args, io, end);
  } catch (error) {
    end.code = endOf(error, io);
  }
  try {
    if (end.help !== '') await show(io, end.help);
    return end.code;
  } catch (error) {
    return endOf(error, io);
  }
};
