// Another workspace, and another stranger, that ask for what each process of messaging is for: how long each waits for it.
import { openReceiver, webhooksHere } from '../faults/sends/receiver.ts';
import { createCaller } from '../harness/caller.ts';
import { type Call, isAccepted } from '../harness/client.ts';
import { type Answer, exchange } from '../harness/http.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';
import { bars } from './judge.ts';
import type { ByName } from './observe.ts';

/** A network of its own: strangers are counted by theirs. */
const localAddress = '127.0.0.5';

const visit = (url: URL, form?: string): Promise<Answer> => {
  const headers = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const options = { method: form === undefined ? 'GET' : 'POST', localAddress, headers, agent: false };
  return exchange(url, options, bars.waitedMs, (sending) => sending.end(form));
};

/** The page, and its form: one without the other is not enough. */
const choose = async (url: URL): Promise<boolean> => {
  const page = await visit(url);
  const [, action] = /action="([^"]+)"/.exec(page.body) ?? [];
  if (action === undefined) return false;
  const { status } = await visit(new URL(action, url), 'email_global_state=subscribed');
  return status === 303;
};

const id = 'bystander';

export const openBystander = async (system: System) => {
  const receiver = await openReceiver();
  const client = await system.newWorkspace(id, webhooksHere);
  const attributes = [{ external_id: id, email: `${id}@example.com` }];
  await createCaller(client, id).post('/users/track', { attributes }, { wait: 30 });
  const { preference_center_url: url } = await client.roster.preference_center.user.get('default', id);
  const isTakenIn = async (call: Call): Promise<boolean> =>
    isAccepted(await client.call({ ...call, timeoutMs: bars.waitedMs }));
  let asked = 0;

  return {
    /** Milliseconds by process, infinitely many where nothing came in time. What had not come when it was over is left out. */
    async ask(isOver = () => false): Promise<ByName> {
      const idempotencyKey = `${id}-${asked++}`;
      const webhook = { url: receiver.url, request_method: 'POST', body: idempotencyKey };
      const body = { external_user_ids: [id], messages: { webhook } };
      let isTaken = false;
      const works: Record<string, () => Promise<boolean>> = {
        pages: () => choose(new URL(url)),
        messaging: () => isTakenIn({ path: '/content_blocks/list', method: 'GET' }),
        async sender() {
          isTaken ||= await isTakenIn({ path: '/messages/send', body, idempotencyKey });
          return isTaken && receiver.counts.has(idempotencyKey);
        },
      };
      const waited = Object.entries(works).map(async ([name, work]) => {
        let isDone = false;
        const ms = await until(bars.waitedMs, async () => {
          isDone = await work().catch(() => false);
          return isDone || isOver();
        });
        if (isDone) return [[name, ms ?? bars.waitedMs] as const];
        return ms === undefined ? [[name, Number.POSITIVE_INFINITY] as const] : [];
      });
      return Object.fromEntries((await Promise.all(waited)).flat());
    },
    close: receiver.close,
  };
};

export type Bystander = Awaited<ReturnType<typeof openBystander>>;
