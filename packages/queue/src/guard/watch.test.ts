import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bundleThread, useFolder, useRedis } from '@roster/testkit';

/** A process with a watch, short limits and a suspect at work. What it does stands in its arguments. */
const contents = `
  import { openWatch } from './watch.ts';
  const [url, deed, id] = process.argv.slice(2);
  const memoryBytes = deed === 'eats' ? 1 : 2 ** 40;
  const script = new URL('./watch-thread.mjs', import.meta.url);
  // Out of reach, but where Redis is away.
  const evidenceMs = url.endsWith(':1') ? 500 : 20_000;
  const watch = openWatch({ url, script, limits: { blockedMs: 800, memoryBytes, evidenceMs } });
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await watch.hold({ key: 'suspects', ...(id && { id }) });
  if (deed !== 'exits') await sleep(800);
  const deeds = {
    blocks() { for (;;) Math.sqrt(2); },
    exits: () => process.exit(3),
    throws() { throw new Error('a bug'); },
    eats: () => sleep(300),
    waits: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500),
    ends: () => watch.letGo(),
  };
  await deeds[deed]();
  process.exit(deed === 'eats' ? 4 : 0);
`;

const inFolder = useFolder();
const { url: redisUrl, redis } = useRedis();

beforeAll(async () => {
  await bundleThread(inFolder(), { entryPoints: [join(__dirname, 'watch-thread.ts')] });
  await bundleThread(inFolder(), { stdin: { contents, resolveDir: __dirname, sourcefile: 'watched.js' } });
});
beforeEach(() => redis.del('suspects'));

const run = async (deed: string, id = 'r1-x', url = redisUrl) => {
  const child = spawn(process.execPath, [inFolder('stdin.mjs'), url, deed, id]);
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const end = await new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  return { end, said, evidence: await redis.hgetall('suspects') };
};

const exit = 'exit: the worker process exited while only this request was at work';

it('ends a process with a blocked event loop, and writes down the suspect', async () => {
  const { end, said, evidence } = await run('blocks');
  expect(end).toBe('SIGKILL');
  expect(said).toMatch(/event loop was blocked for 1 s: the process ends itself/);
  expect(evidence).toEqual({ 'r1-x': "blocked: the worker's event loop was blocked for 1 s" });
});

it('accuses none of several suspects', async () => {
  expect(await run('blocks', '')).toMatchObject({ end: 'SIGKILL', evidence: {} });
});

it.each([
  ['exits', 3],
  ['throws', 1],
])('writes down the suspect when a process %s', async (deed, code) => {
  expect(await run(deed)).toMatchObject({ end: code, evidence: { 'r1-x': exit } });
});

it('writes down the request by which a process came to the end of its memory', async () => {
  const { evidence } = await run('eats');
  expect(Object.keys(evidence)).toEqual(['r1-x']);
});

it('lets a process go on that waits without using the machine', async () => {
  const { end, said } = await run('waits');
  expect([end, said]).toEqual([0, '']);
});

it('has nothing to say of a process that ends after its work', async () => {
  expect(await run('ends')).toEqual({ end: 0, said: '', evidence: {} });
});

it('lets work begin although Redis is away', async () => {
  const { end } = await run('ends', 'r1-x', 'redis://127.0.0.1:1');
  expect(end).toBe(0);
});
