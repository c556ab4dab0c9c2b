/** The packed client in every runtime that its page names, each with a workspace of the services as they run. */
import { createHmac } from 'node:crypto';
import { build } from 'esbuild';
import { type System, startWhole, type Whole } from '../system.ts';
import { openBrowser } from '../whole/browser.ts';
import { saidByExamples } from './examples.ts';
import { type Listening, openFront, openSilent } from './front.ts';
import { askWorkerd, expressionFor, imports, pathOf, programs } from './programs.ts';
import { openProject, type Place, type Project } from './project.ts';

let whole: Whole;
let project: Project;
let silent: Listening;
let front: Listening;
/** Of pages. */
const own: Listening[] = [];
const tried: string[] = [];

beforeAll(async () => {
  const services = startWhole({ identity: {}, subscription: true });
  [whole, project, silent] = await Promise.all([services, openProject(), openSilent()]);
  front = await openFront(whole.base);
});
afterAll(async () => {
  for (const server of [silent, front, ...own]) await server?.close();
  await project?.remove();
  await whole?.stop();
});

/** Signed as Standard Webhooks has it. */
const signed = (text: string): Place['webhook'] => {
  const bytes = Buffer.alloc(32, 7);
  const seconds = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', bytes).update(`w1.${seconds}.${text}`).digest('base64');
  const headers = {
    'webhook-id': 'w1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
  return { secret: `whsec_${bytes.toString('base64')}`, text, headers };
};

const placeIn = ({ key }: System, url = front.url): Place => ({
  url,
  silent: silent.url,
  nowhere: 'http://127.0.0.1:1',
  key,
  person: 'somebody',
  webhook: signed('{"order":7}'),
});

const seen = {
  tracked: { state: 'applied', attempts: 2 },
  read: 'applied',
  batch: { applied: 1000, refused: 1 },
  changes: ['opted_in', 'unsubscribed', 'opted_in'],
  webhook: { order: 7 },
  errors: {
    refused: true,
    missing: true,
    late: true,
    left: 'AbortError',
    unanswered: 'ConnectionError',
    forged: true,
  },
};

/** Once, though each write was sent twice. */
const expectOnce = async (system: System): Promise<void> => {
  const counts = Array.from({ length: 10 }, async (_, n) => {
    return (await system.exported(`somebody-${n}`, ['custom_events']))?.custom_events;
  });
  const hundred = [expect.objectContaining({ name: 'seen', count: 100 })];
  expect(await Promise.all(counts)).toEqual(Array.from({ length: 10 }, () => hundred));
  expect(await system.exported('somebody', ['first_name'])).toEqual({ first_name: 'Ada' });
};

const expectAll = async (answer: unknown, system: System): Promise<void> => {
  expect(answer).toEqual({ seen, said: saidByExamples });
  await expectOnce(system);
};

describe.each(programs)('$name', ({ name, runtime, args }) => {
  const ws = name.toLowerCase();

  it('does all that the page says, and nothing is lost or doubled', async () => {
    const path = await pathOf(runtime);
    if (!path) return;
    const system = await whole.open(ws);
    const place = placeIn(system);
    const main = `${imports} console.log(JSON.stringify(await ${expressionFor(place)}));`;
    await expectAll(
      JSON.parse(await project.run(path, [...args, await project.put('main.mjs', main)])),
      system,
    );
    tried.push(name);
  });

  it('sends what waits in a batch before it ends, and loads the client by require', async () => {
    const path = await pathOf(runtime);
    if (!path) return;
    const system = await whole.open(`${ws}-ending`);
    const options = JSON.stringify({ url: front.url, key: system.key });
    const file = await project.put(
      'waits.cjs',
      `const { Roster } = require('@roster/client');
      const batch = new Roster(${options}).batch({ maxDelay: 60_000, wait: 30 });
      batch.attributes({ external_id: 'late', first_name: 'Ada' }).then(({ state }) => console.log(state));`,
    );
    expect(await project.run(path, [...args, file])).toBe('applied\n');
    expect(await system.exported('late', ['first_name'])).toEqual({ first_name: 'Ada' });
  });
});

it('workerd, the runtime of an edge, does all that the page says', async () => {
  const path = await pathOf('workerd');
  if (!path) return;
  const system = await whole.open('workerd');
  await expectAll(await askWorkerd(path, project, placeIn(system)), system);
  tried.push('workerd');
});

describe('a browser', () => {
  const pageWithClient = async (): Promise<string> => {
    const contents = `import { Roster } from '@roster/client'; ${imports}
      Object.assign(globalThis, { Roster, look, play });`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project.folder },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    });
    return `<!doctype html><script type="module">${outputFiles[0]?.text ?? ''}</script>`;
  };

  const openPage = async (key?: string): Promise<string> => {
    const server = await openFront(whole.base, { page: await pageWithClient(), ...(key && { key }) });
    own.push(server);
    return server.url;
  };

  const inPage = async (url: string, expression: string): Promise<unknown> => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${url}/page`);
      return await page.evaluate(expression);
    } finally {
      await browser.close();
    }
  };

  it('does all that the page says, behind a server that adds the key', async () => {
    const system = await whole.open('browser');
    const url = await openPage(system.key);
    const place = { ...placeIn(system, url), key: 'added by the server' };
    await expectAll(await inPage(url, expressionFor(place)), system);
  });

  it('is refused by the service itself, which answers no page of another origin', async () => {
    const system = await whole.open('stranger');
    const url = await openPage();
    const options = JSON.stringify({ url: whole.base, key: system.key, retryFor: 0 });
    const call = `new Roster(${options}).users.track({ attributes: [{ external_id: 'stranger' }] })`;
    expect(await inPage(url, `${call}.catch(({ name }) => name)`)).toBe('ConnectionError');
    await system.track({ attributes: [{ external_id: 'somebody else' }] });
    expect(await system.exported('stranger', ['external_id'])).toBeUndefined();
  });
});

it('another runtime than Node was there to be tried', () => {
  expect(tried.filter((name) => name !== 'Node')).not.toEqual([]);
});
