/** The commands of `roster`, their help, and the messages of their ends. */
import { stringifyExact, version } from '@roster/contract';
import { ConfigError } from '@roster/runtime';
import { Command, CommanderError, type Option } from 'commander';
import type { Act } from './act.ts';
import { addAccessCommands } from './commands/access.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addChannelCommands } from './commands/channel.ts';
import { addCompanyCommands } from './commands/company.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addConsentCommand } from './commands/consent.ts';
import { addContentCommands } from './commands/content.ts';
import { addDashboardCommands } from './commands/dashboard.ts';
import { addDeadCommands } from './commands/dead.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addIndexCommands } from './commands/indexes.ts';
import { addIntegrationCommands } from './commands/integration.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addPersonCommands } from './commands/person.ts';
import { addRequestCommands } from './commands/request.ts';
import { addRetentionCommands } from './commands/retention.ts';
import { addScimCommands } from './commands/scim.ts';
import { addSegmentCommands } from './commands/segment.ts';
import { addSendsCommands } from './commands/sends.ts';
import { addStatusCommand } from './commands/status.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';
import type { Io } from './io.ts';
import { secretIfKnown, settingsOf } from './local.ts';
import { exitCodes, messageOf, type Result, Stop, wrong } from './result.ts';
import { openServers } from './servers.ts';
import { quoted } from './shown.ts';

const help = `
Servers: REDIS_URL, MONGO_URL and ROSTER_SECRET; those that are not set are taken from the local stack that runs
("npm start"; ROSTER_HOME/local.json, .roster/ unless ROSTER_HOME says otherwise).
Commands about one workspace: --workspace <id>, else ROSTER_WORKSPACE. With one workspace neither is needed.

Examples:
  $ roster --version
  $ roster status
  $ roster workspace apply shop.yaml
  $ roster keys create --workspace shop --name backend --permission users.track
  $ roster import people.csv
  $ roster export --all --workspace shop --out shop.ndjson
  $ roster compare --from https://rest.hosted.example
  $ roster demo
  $ roster person show ada
  $ roster request show r1k2j3h4g5-a1b2c3
  $ roster dead list --json

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

const notesOf = ({ notes = [] }: Result): string => notes.map((note) => `${note}\n`).join('');

/** Prints a Result; its exit code is left in `end`. */
const acting =
  (io: Io, program: Command, end: { code: number }): Act =>
  (work) =>
  async (...args) => {
    const servers = openServers(settingsOf(io), {
      secret: secretIfKnown(io),
      workspace: io.env.ROSTER_WORKSPACE,
    });
    try {
      const result = await work({ io, servers }, ...args);
      io.out(
        program.opts<{ json?: boolean }>().json && result.json !== undefined
          ? `${stringifyExact(result.json, 2)}\n`
          : result.text,
      );
      asTyped(io, io.err)(notesOf(result));
      end.code = result.exitCode ?? exitCodes.done;
    } finally {
      await servers.close();
    }
  };

/** In the order of the help. */
const families = [
  addStatusCommand,
  addWorkspaceCommands,
  addKeyCommands,
  addImportCommand,
  addExportCommand,
  addCompareCommand,
  addDemoCommand,
  addRequestCommands,
  addPersonCommands,
  addConsentCommand,
  addContentCommands,
  addSegmentCommands,
  addChannelCommands,
  addSendsCommands,
  addIntegrationCommands,
  addDeadCommands,
  addIndexCommands,
  addRetentionCommands,
  addAccessCommands,
  addCompanyCommands,
  addScimCommands,
  addDashboardCommands,
  addAuditCommands,
];

/** Only as the first word: `--version` of a command means that of a content block. */
const asksForVersion = ([first]: readonly string[]): boolean => first === '--version' || first === '-V';

const createProgram = (io: Io, end: { code: number }): Command => {
  const program = new Command(nameOf(io));
  program
    .description('Workspaces, keys, outcomes, dead letters and dashboard users of a Roster')
    .option('--json', 'machine-readable results on standard output')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: asTyped(io, io.out), writeErr: asTyped(io, io.err) })
    .showHelpAfterError('(add --help for help)')
    .addHelpText('after', help)
    .exitOverride();
  const act = acting(io, program, end);
  for (const add of families) add(program, act);
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

/** Runs one command line (without `node roster`) and returns its exit code. */
export const runCommand = async (args: readonly string[], io: Io): Promise<number> => {
  const end = { code: exitCodes.done as number };
  if (asksForVersion(args)) {
    io.out(`${version}\n`);
    return exitCodes.done;
  }
  try {
    await createProgram(io, end)
      .hook('preAction', ({ options }, command) =>
        refuseSwallowed(io, args, [...options, ...command.options]),
      )
      .parseAsync([...args], { from: 'user' });
    return end.code;
  } catch (error) {
    return endOf(error, io);
  }
};
