import type { Command, Tools } from '../command.ts';
import { runHistory } from '../history/run-history.ts';
import type { Result } from '../result.ts';

interface HistoryOptions {
  out: string;
}

const run = (_: Tools, folder: string, { out }: HistoryOptions): Promise<Result> => runHistory(folder, out);

export const historyCommand: Command = {
  about: 'make lines for roster import from the files of the event stream of the hosted service',
  example: 'roster history currents --out events.ndjson',
  args: { '<folder>': 'files .avro, .json, .jsonl and .ndjson, in any folders inside it; or one file' },
  flags: { '--out <file>': { about: 'the file to write', isNeeded: true } },
  help: `
Custom events and purchases become lines of NDJSON; other events are counted and left out. The stream delivers an event at least
once: events with the same id are one event. So give all files at once, up to 10,000,000 events (134 MB of memory). Ids are
compared by 64 bits of their hash: one run in 370,000 of that size takes two events for one. An event is about the person
with its external_user_id; without one it is left out and counted.

Avro: blocks of codec null, deflate or snappy, of at most 64 MiB each; files of at most 1 GiB. JSON: one object a line, with the
same members as the records of Avro.`,
  run,
};
