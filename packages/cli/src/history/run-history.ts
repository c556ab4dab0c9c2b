/** The files of the hosted event stream as lines for `roster import`, each event once: the stream may deliver it several times. */
import { createReadStream, existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyExact } from '@roster/contract';
import { createFraming } from '@roster/records';
import { openFile } from '../export/sink.ts';
import { exactJson } from '../import/json-line.ts';
import { isRecord, type JsonObject } from '../json.ts';
import { type Result, wrong } from '../result.ts';
import { linesOf, number, quoted } from '../shown.ts';
import { recordsOfAvro } from './avro.ts';
import { createSeenIds } from './seen-ids.ts';
import { readStreamEvent } from './stream-event.ts';

async function* recordsOfLines(file: string): AsyncGenerator<JsonObject> {
  const framing = createFraming({ start: 0, line: 1 });
  const read = async function* () {
    for await (const chunk of createReadStream(file)) yield* framing.push(chunk);
    yield* framing.end();
  };
  for await (const { bytes, line, fault } of read()) {
    if (!fault && bytes.length === 0) continue;
    const record = fault ? undefined : exactJson(bytes.toString('utf8'));
    if (!isRecord(record)) throw wrong(`${file}: line ${line} is no JSON object.`);
    yield record;
  }
}

const filesIn = (folder: string): string[] => {
  if (!existsSync(folder)) throw wrong(`there is no folder ${folder}.`);
  if (statSync(folder).isFile()) return [folder];
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = all.filter((name) => /\.(avro|json|jsonl|ndjson)$/i.test(name)).toSorted();
  if (files.length === 0) throw wrong(`${folder} has no files .avro, .json, .jsonl or .ndjson.`);
  return files.map((name) => join(folder, name));
};

const recordsOf = (file: string): AsyncGenerator<JsonObject> =>
  /\.avro$/i.test(file) ? recordsOfAvro(file) : recordsOfLines(file);

interface Counts {
  event: number;
  purchase: number;
  twice: number;
  nobody: number;
  other: number;
}

/** Counts what it reads, and yields the lines of the events that are new. */
async function* newLines(files: readonly string[], counts: Counts): AsyncGenerator<string> {
  const seen = createSeenIds();
  for (const file of files)
    for await (const record of recordsOf(file)) {
      const told = readStreamEvent(record);
      const isRepeated = 'line' in told && !seen.add(told.id);
      counts[isRepeated ? 'twice' : told.kind] += 1;
      if ('line' in told && !isRepeated) yield `${stringifyExact(told.line)}\n`;
    }
}

const resultOf = (out: string, files: number, counts: Counts): Result => ({
  json: { out, files, ...counts },
  text: linesOf([
    `${out}: ${number(counts.event)} events and ${number(counts.purchase)} purchases from ${number(files)} files`,
    `  ${number(counts.twice)} delivered twice and written once`,
    `  ${number(counts.nobody)} left out: nothing names the person but an id of the hosted service`,
    `  ${number(counts.other)} left out: neither custom events nor purchases`,
  ]),
  notes: [`To bring them in: roster import ${quoted(out)}`],
});

export const runHistory = async (folder: string, out: string): Promise<Result> => {
  if (existsSync(out)) throw wrong(`${out} is there already. Remove it, or give another --out.`);
  const files = filesIn(folder);
  const counts = { event: 0, purchase: 0, twice: 0, nobody: 0, other: 0 };
  const part = `${out}.part`;
  const sink = await openFile(part, 0);
  try {
    for await (const line of newLines(files, counts)) await sink.write(line);
    await sink.sync();
  } finally {
    await sink.close();
  }
  renameSync(part, out);
  return resultOf(out, files.length, counts);
};
