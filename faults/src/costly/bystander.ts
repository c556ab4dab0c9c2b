// Another workspace, and another stranger, that ask for what each process of messaging is for: how long each waits for it.
import { openReceiver, webhooksHere } from '../faults/sends/receiver.ts';
import { isAccepted } from '../harness/client.ts';
import { type Answer, exchange } from '../harness/http.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';
import { bars } from './judge.ts';
import type { ByName } from './observe.ts';

export interface Bystander {
  /** Milliseconds by process, infinitely many where nothing came in time. What had not come when it was over is left out. */
  ask(isOver?: () => boolean): Promise<ByName>;
  close(): Promise<void>;
}

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

export const openBystander = async (system: System): Promise<Bystander> => {
  const receiver = await openReceiver();
  const client = await system.newWorkspace(id, webhooksHere);
  await client.call({
    body: { attributes: [{ external_id: id, email: `${id}@example.com` }] },
    headers: { prefer: 'wait=30' },
    timeoutMs: 40_000,
  });
  const path = `/preference_center/v1/default/url/${id}`;
  let url = '';
  await until(bars.waitedMs, async () => {
    const answer = await client.call({ path, method: 'GET' });
    if (isAccepted(answer)) url = JSON.parse(answer.body).preference_center_url;
    return url !== '';
  });
  let asked = 0;

  const deliver = async (): Promise<() => Promise<boolean>> => {
    const body = `${id}-${asked++}`;
    const webhook = { url: receiver.url, request_method: 'POST', body };
    const message = { path: '/messages/send', body: { external_user_ids: [id], messages: { webhook } } };
    let isTaken = false;
    return async () => {
      isTaken ||= isAccepted(
        await client.call({ ...message, idempotencyKey: body, timeoutMs: bars.waitedMs }),
      );
      return isTaken && receiver.counts.has(body);
    };
  };

  return {
    async ask(isOver = () => false) {
      const works: Record<string, () => Promise<boolean>> = {
        pages: () => choose(new URL(url)),
        messaging: async () =>
          isAccepted(
            await client.call({ path: '/content_blocks/list', method: 'GET', timeoutMs: bars.waitedMs }),
          ),
        sender: await deliver(),
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
