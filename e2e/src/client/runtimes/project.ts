/** A project of somebody who has installed the packed client, and the same script for every runtime. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);

const client = join(__dirname, '../../../../packages/client');

/** What a script is told: it has no arguments where there is no process. */
export interface Place {
  /** The service, one that never answers, and one where nobody listens. */
  url: string;
  silent: string;
  nowhere: string;
  key: string;
  /** Whom it writes about. */
  person: string;
}

/** What the script says it has seen: the first attempt of each call is answered with 503 by its own middleware. */
export interface Seen {
  tracked: { state: string; attempts: number };
  batch: string[];
  read: string;
  errors: string[];
}

const script = `
import { about, Roster } from '@roster/client';

const unsteady = async ({ number }, next) => (number === 1 ? new Response('{}', { status: 503 }) : next());
const nameOf = (call) => call.then(() => 'none', ({ name }) => name);

export const look = async ({ url, silent, nowhere, key, person }) => {
  const roster = new Roster({ url, key, use: [unsteady] });
  const time = new Date().toISOString();
  const answer = await roster.users.track({ attributes: [{ external_id: person, first_name: 'Ada' }] }, { wait: 10 });
  const { attempts, requestId } = about(answer);
  const batch = roster.batch({ wait: 10 });
  const outcomes = [time, time, time, 'yesterday'].map((at) => batch.event({ external_id: person, name: 'seen', time: at }));
  await batch.close();
  const { state } = await roster.requests.read(requestId);
  const once = { retryFor: 0, timeout: 0.3 };
  const errors = [silent, nowhere].map((at) => nameOf(new Roster({ url: at, key, ...once }).requests.read('r1')));
  return {
    tracked: { state: answer.state, attempts },
    batch: (await Promise.all(outcomes)).map((outcome) => outcome.state),
    read: state,
    errors: await Promise.all(errors),
  };
};
`;

export interface Project {
  folder: string;
  put(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

const quietly = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];

export const openProject = async (): Promise<Project> => {
  const folder = await mkdtemp(join(tmpdir(), 'roster-runtimes-'));
  const put = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: client });
  await put('package.json', JSON.stringify({ name: 'somebody', private: true, type: 'module' }));
  await run('npm', ['install', ...quietly, `./${JSON.parse(stdout)[0].filename}`], { cwd: folder });
  await put('look.mjs', script);
  return { folder, put, remove: () => rm(folder, { recursive: true, force: true }) };
};
