import { existsSync } from 'node:fs';
import { allQueues, createFence, growing, takeStamps } from '@roster/queue';
import { chosenWorkspace } from '../chosen-workspace.ts';
import { type Command, type Tools, wholeNumber } from '../command.ts';
import { exportResult } from '../export/report.ts';
import { runExport } from '../export/run-export.ts';
import { openFile, openStream, type Sink } from '../export/sink.ts';
import { forgetState, partPathOf, readState, type SavedExport } from '../export/state-file.ts';
import { nothingYet } from '../export/tally.ts';
import { watched } from '../person.ts';
import { type Result, wrong } from '../result.ts';
import { quoted } from '../shown.ts';

interface ExportOptions {
  all?: boolean;
  workspace?: string;
  out?: string;
  resume?: boolean;
  /** Seconds. */
  waitFresh: number;
}

const check = ({ all, out, resume }: ExportOptions): void => {
  if (!all)
    throw wrong(
      'export which people? --all means all people of the workspace; for a few there is POST /users/export/ids.',
    );
  if (resume && out === undefined) throw wrong('--resume goes on with a file: give --out.');
  if (out !== undefined && existsSync(out))
    throw wrong(`${out} is there already. Remove it, or give another --out.`);
};

type Chosen = ExportOptions & { workspace: string };

/** The file begins anew: the state of an earlier export does not belong to it. */
const openOut = async (file: string, from: SavedExport | undefined): Promise<Sink> => {
  if (!from) forgetState(file);
  return openFile(partPathOf(file), from?.place.bytes ?? 0);
};

const notWaitedFor: ReadonlySet<string> = new Set(['export', 'dead']);

const awaited = (partitions: number) => allQueues(partitions).filter(({ name }) => !notWaitedFor.has(name));

/** Waits until every request accepted before is applied; `undefined` when Redis does not answer. */
const waitUntilFresh = async ({ servers }: Tools, ms: number): Promise<boolean | undefined> => {
  try {
    const redis = await servers.redis();
    const queues = growing(await servers.partitions(), awaited);
    return await createFence(redis, queues).wait(await takeStamps(redis, 1), ms);
  } catch {
    return undefined;
  }
};

const goOnOf = ({ workspace, out }: Chosen): string | undefined =>
  out && `roster export --all --workspace ${workspace} --out ${quoted(out)} --resume`;

const exportWorkspace = async (tools: Tools, given: ExportOptions): Promise<Result> => {
  check(given);
  const { io, servers } = tools;
  const options = { ...given, workspace: (await chosenWorkspace(servers, given)).id };
  const { workspace, out: file, resume } = options;
  const from = file !== undefined && resume ? readState(file, workspace) : undefined;
  const store = await servers.store();
  const isFresh = from ? true : await waitUntilFresh(tools, options.waitFresh * 1000);
  const tally = from?.tally ?? nothingYet();
  return watched(io, async (work) => {
    if (from) work.progress.note(`Going on: ${tally.people} people are written.`);
    const sink = file === undefined ? openStream(process.stdout) : await openOut(file, from);
    const exported = await runExport({ store, workspace, file, sink, from, tally, watched: work });
    const seconds = work.seconds();
    return exportResult({ ...exported, workspace, file, tally, seconds, isFresh, goOn: goOnOf(options) });
  });
};

const help = `
NDJSON, one line for each person, event and purchase, as "roster import" takes them: so a workspace can be moved, backed up and
restored. Everything is of one moment, whatever is written meanwhile. What cannot make the trip is counted at the end, and docs/round-trip.md
says why. The settings of the workspace and its keys are not in it ("roster workspace show").

The file has ".part" behind its name until it is complete. How far it came stands in <file>.roster-export.json: after Ctrl-C, a crash or a
lost connection --resume goes on, for as long as MongoDB keeps the moment (minSnapshotHistoryWindowInSeconds, five minutes unless
set). An export that takes longer needs more of it, on every server of the replica set:
  db.adminCommand({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 3600 })

The file holds personal data, and only its owner can read it.

Examples:
  $ roster export --all --workspace shop --out shop.ndjson
  $ roster export --all --workspace shop --out shop.ndjson --resume
  $ roster export --all --workspace shop | gzip > shop.ndjson.gz
  $ roster export --all --workspace shop | ROSTER_URL=https://other.example ROSTER_API_KEY=rk_... roster import -

Exit codes: 0 all is out, 3 some people could not be written so that they could be imported, 1 stopped or failed, 2 wrong command or
file, 3 also when there is no such workspace.`;

export const exportCommand: Command = {
  about: 'all people of a workspace with their events and purchases, for roster import',
  example: 'roster export --all --workspace shop --out shop.ndjson',
  flags: {
    '--workspace <id>': 'of which workspace',
    '--all': 'all people',
    '--out <file>': 'where to; else standard output',
    '--resume': 'go on with an export that was stopped',
    '--wait-fresh <seconds>': wholeNumber(
      'how long to wait until what was accepted before is applied',
      [0, 86_400],
      30,
    ),
  },
  help,
  run: exportWorkspace,
};
