// The log lines are not read: the disk is full, or the reader of the pipe is stuck. The work goes on, and every process stops when it is told to.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { services } from '@roster/local-stack';
import { isAccepted } from '../harness/client.ts';
import { type Findings, faultOf, type Trial, together } from '../harness/fault.ts';
import { countRows } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { eachOf, within } from '../harness/wait.ts';

const stopMs = 10_000;

/** A pipe that is held open and never read. */
const stuckPipe = (trial: Trial, folder: string): string => {
  const path = join(folder, 'stuck-pipe');
  execFileSync('mkfifo', [path]);
  const held = openSync(path, 'r+');
  trial.atEnd(() => closeSync(held));
  return path;
};

const places: Record<string, (trial: Trial, folder: string) => string> = {
  'full disk': () => '/dev/full',
  'stuck pipe': stuckPipe,
};

/** The folder of a stack whose services find their log files to be this. */
const folderWith = (trial: Trial, place: string): string => {
  const dir = trial.folder();
  const target = places[place]?.(trial, dir) ?? '';
  mkdirSync(join(dir, 'logs'));
  for (const service of services) symlinkSync(target, join(dir, 'logs', `${service}.log`));
  return dir;
};

/** So many that get no answer tell enough. */
const mostMissed = 16;

/** How many were accepted. Each is a line of the log, and more than a pipe holds. */
const sendAll = async ({ client }: System, count: number): Promise<number> => {
  let accepted = 0;
  let missed = 0;
  const numbers = Array.from({ length: count }, (_, i) => i);
  await eachOf(numbers, 16, async (i) => {
    const event = { external_id: `person-${i % 50}`, name: `event-${i}`, time: '2025-06-01T12:00:00Z' };
    if (missed >= mostMissed) return;
    if (isAccepted(await client.call({ body: { events: [event] } }))) accepted++;
    else missed++;
  });
  return accepted;
};

const stopOf = async (system: System, name: string): Promise<string | undefined> => {
  const part = system.part(name);
  try {
    const code = await within(stopMs, 'its stop', part.end('SIGTERM'));
    return code === 0 ? undefined : `${name} ended with ${code}`;
  } catch (error) {
    await part.end('SIGKILL');
    return `${name}: ${error instanceof Error ? error.message : error}`;
  }
};

const tryPlace = async (trial: Trial, place: string, ingress?: string): Promise<Findings> => {
  const count = trial.quick ? 1_000 : 10_000;
  const system = await trial
    .system({
      services: [...services],
      dir: folderWith(trial, place),
      env: { LOG_LEVEL: 'info' },
      ...(ingress && { instead: { ingress } }),
    })
    .catch((error: Error) => error.message);
  if (typeof system === 'string')
    return { figures: {}, broken: [`${place}: the stack did not start: ${system.slice(0, 100)}`] };
  const accepted = await sendAll(system, count);
  const quiet = await system.quiet(30_000);
  const stored = await countRows(system.mongo, 'events');
  const stops = await Promise.all(services.map((name) => stopOf(system, name)));
  const broken = stops.filter((stop) => stop !== undefined);
  if (accepted !== count) broken.push(`${count - accepted} of ${count} requests were not accepted`);
  if (stored !== accepted) broken.push(`${stored} of ${accepted} accepted events are stored`);
  if (!quiet) broken.push('the queue was not empty in time');
  return { figures: { [`${place}: accepted`]: accepted }, broken: broken.map((text) => `${place}: ${text}`) };
};

const attempt = async (trial: Trial, ingress?: string): Promise<Findings> => {
  return together(await Promise.all(Object.keys(places).map((place) => tryPlace(trial, place, ingress))));
};

export const logFull = faultOf(attempt, [undefined, 'ingress-waiting-log'], {
  name: 'log-full',
  title: 'no log line can be written: everything is answered, applied and stopped as ever',
  without: 'a log that drops lines',
  breaks: /were not accepted|did not start/,
});
