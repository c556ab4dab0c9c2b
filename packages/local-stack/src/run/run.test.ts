// Real processes: a run in a process of its own, with a real Redis and a real mongod, and services that do not notice the end of the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { until, useFolder } from '@roster/testkit';
import { identityOf } from '../servers/processes.ts';

const stack = pathToFileURL(join(__dirname, '../../dist/index.js')).href;

/** As a worker that has much to finish: it hears nothing but SIGKILL. */
const stubborn = `
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => {});
setInterval(() => {}, 1000);
process.send({ ready: true });
`;

const cli = `
const answer = JSON.stringify({ key: 'rk', token: 'rs' });
console.log(JSON.stringify(process.argv.slice(2).map(() => answer)));
`;

const program = (isProtected: boolean, inWork: (name: string) => string): string => `
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder, openRun, startStack } from ${JSON.stringify(stack)};
if (${isProtected}) openRun('test');
else process.once('SIGTERM', () => process.exit(1));
const dir = mkdtempSync(join(tmpdir(), 'roster-trial-'));
const inMemory = mkdtempSync(join(memoryFolder(), 'roster-trial-'));
const { processes } = await startStack({
  dir,
  services: ['track'],
  entry: { track: ${JSON.stringify(inWork('stubborn.mjs'))} },
  cli: ${JSON.stringify(inWork('cli.mjs'))},
  mongo: { cacheGb: 0.25 },
  say: () => {},
});
const pids = Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]));
process.send({ pids, folders: [dir, inMemory] });
setInterval(() => {}, 1000);
`;

interface Told {
  pids: Record<string, number>;
  folders: string[];
}

// A slow machine fails nothing here.
jest.setTimeout(300_000);

describe('a run that is stopped', () => {
  let child: ChildProcess | undefined;
  let told: Told = { pids: {}, folders: [] };

  afterEach(() => {
    child?.kill('SIGKILL');
    for (const pid of Object.values(told.pids)) if (identityOf(pid)) process.kill(pid, 'SIGKILL');
    for (const folder of told.folders) rmSync(folder, { recursive: true, force: true });
  });
  const inWork = useFolder({ forEach: true });
  const temporary = useFolder({ forEach: true });

  const start = async (isProtected: boolean): Promise<ChildProcess> => {
    writeFileSync(inWork('stubborn.mjs'), stubborn);
    writeFileSync(inWork('cli.mjs'), cli);
    writeFileSync(inWork('program.mjs'), program(isProtected, inWork));
    child = spawn(process.execPath, [inWork('program.mjs')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, TMPDIR: temporary() },
    });
    [told] = (await once(child, 'message')) as [Told];
    expect(alive()).toEqual(['redis', 'mongod', 'track']);
    return child;
  };

  const alive = (): string[] =>
    Object.entries(told.pids).flatMap(([name, pid]) => (identityOf(pid) ? [name] : []));
  const left = () => ({
    processes: alive(),
    folders: told.folders.filter((folder) => existsSync(folder)),
    temporary: readdirSync(temporary()),
  });
  const nothing = { processes: [], folders: [], temporary: [] };

  const end = async (running: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('leaves nothing behind at its end by %s', async (signal) => {
    await end(await start(true), signal);
    expect(left()).toEqual(nothing);
  });

  it('leaves nothing behind when it is killed, seconds later', async () => {
    await end(await start(true), 'SIGKILL');
    await until(() => isDeepStrictEqual(left(), nothing));
  });

  it('would leave its folders and a service that does not notice', async () => {
    await end(await start(false), 'SIGTERM');
    expect(left()).toMatchObject({ processes: expect.arrayContaining(['track']), folders: told.folders });
  });
});
