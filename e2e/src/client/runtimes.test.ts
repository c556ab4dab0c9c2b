/** The packed client in every runtime that its page names, each with the services as they run. */
import { build } from 'esbuild';
import { openBrowser } from '../browser.ts';
import { type System, startSystem } from '../system.ts';
import { type Listening, openOwnServer, openSilent } from './runtimes/own-server.ts';
import { lookBy, lookByWorkerd, programs, runScript } from './runtimes/programs.ts';
import { openProject, type Place, type Project } from './runtimes/project.ts';

/** Runtimes are fetched once for a machine. */
jest.setTimeout(300_000);

let system: System;
let project: Project;
let silent: Listening;

beforeAll(async () => {
  [system, project, silent] = await Promise.all([startSystem({ identity: {} }), openProject(), openSilent()]);
});
afterAll(async () => {
  await silent?.close();
  await project?.remove();
  await system?.stop();
});

const placeFor = (person: string): Place => ({
  url: system.base,
  silent: silent.url,
  nowhere: 'http://127.0.0.1:1',
  key: system.key,
  person,
});

const seenEverywhere = {
  tracked: { state: 'applied', attempts: 2 },
  batch: ['applied', 'applied', 'applied', 'refused'],
  read: 'applied',
  errors: ['TimeoutError', 'ConnectionError'],
};

/** Once, though each request was sent twice. */
const isThere = async (person: string): Promise<void> => {
  const profile = await system.exported(person, ['first_name', 'custom_events']);
  expect(profile).toMatchObject({ first_name: 'Ada', custom_events: [{ name: 'seen', count: 3 }] });
};

it.each(programs.map((program) => [program.name, program] as const))('%s', async (name, program) => {
  expect(await lookBy(program, project, placeFor(name))).toEqual(seenEverywhere);
  await isThere(name);
});

it('workerd, the runtime of an edge', async () => {
  expect(await lookByWorkerd(project, placeFor('workerd'))).toEqual(seenEverywhere);
  await isThere('workerd');
});

const whatWaits = (person: string): string => `
import { Roster } from '@roster/client';
const batch = new Roster({ url: '${system.base}', key: '${system.key}' }).batch({ maxDelay: 1000, wait: 10 });
batch.attributes({ external_id: '${person}', first_name: 'Ada' }).then(({ state }) => console.log(state));`;

it.each(programs.map((program) => [program.name, program] as const))(
  'what waits in a batch is sent before %s ends',
  async (name, program) => {
    const file = await project.put('waits.mjs', whatWaits(`late ${name}`));
    expect(await runScript(program, project, file)).toBe('applied\n');
    expect(await system.exported(`late ${name}`, ['first_name'])).toEqual({ first_name: 'Ada' });
  },
);

describe('a browser', () => {
  const bundled = async (): Promise<string> => {
    const contents = `import { Roster } from '@roster/client';
      import { look } from './look.mjs';
      Object.assign(globalThis, { Roster, look });`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project.folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    });
    return outputFiles[0]?.text ?? '';
  };

  const inPage = async (url: string, expression: string): Promise<unknown> => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      return await page.evaluate(expression);
    } finally {
      await browser.close();
    }
  };

  it('works behind a server of its own, which adds the key', async () => {
    const page = `<!doctype html><script type="module">${await bundled()}</script>`;
    const own = await openOwnServer(page, system.base, system.key);
    const place = { ...placeFor('browser'), url: own.url, key: 'added behind' };
    expect(await inPage(`${own.url}/page`, `look(${JSON.stringify(place)})`)).toEqual(seenEverywhere);
    await isThere('browser');
    await own.close();
  });

  it('may not ask the service itself, which answers no page of another origin', async () => {
    const page = `<!doctype html><script type="module">${await bundled()}</script>`;
    const own = await openOwnServer(page, system.base, system.key);
    const client = `new Roster({ url: '${system.base}', key: '${system.key}', retryFor: 0 })`;
    const asked = `${client}.users.track({ attributes: [{ external_id: 'stranger' }] }).catch(({ name }) => name)`;
    expect(await inPage(`${own.url}/page`, asked)).toBe('ConnectionError');
    await system.track({ attributes: [{ external_id: 'somebody else' }] });
    expect(await system.exported('stranger', ['external_id'])).toBeUndefined();
    await own.close();
  });
});
