// A person with a browser: opens the link, sends the form, and sends it again until a page comes back.
import { sleep } from '../../harness/wait.ts';
import type { Choice } from './choices.ts';

const patienceMs = 90_000;

const bodyOf = (choice: Choice): string =>
  new URLSearchParams({
    email_global_state: choice.email,
    'group.demo-news': choice['demo-news'],
    'group.demo-texts': choice['demo-texts'],
  }).toString();

const isPassing = (status: number): boolean => status === 0 || status >= 500;

const answerOf = async (url: string, init: RequestInit) => {
  try {
    const signal = AbortSignal.timeout(15_000);
    const answer = await fetch(url, { ...init, signal, redirect: 'manual' });
    return { status: answer.status, html: await answer.text() };
  } catch {
    return { status: 0, html: '' };
  }
};

const actionIn = (html: string): string => {
  const [, action] = /action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) throw new Error(`a page without a form: ${html.slice(0, 300)}`);
  return action;
};

/** `link`: the path of the page. `origins`: the processes that serve it; a proxy would try the next one as well. */
export const createVisitor = (link: string, origins: readonly string[], ip: string) => {
  let turn = 0;

  const insist = async (path: string, wanted: number, init: RequestInit) => {
    const until = performance.now() + patienceMs;
    for (let times = 1; ; times++) {
      const origin = origins[turn++ % origins.length] ?? '';
      const { status, html } = await answerOf(new URL(path, origin).href, init);
      if (status === wanted) return { html, times };
      if (!isPassing(status) || performance.now() > until)
        throw new Error(`a page was answered ${status}: ${html.slice(0, 300)}`);
      await sleep(100);
    }
  };

  const headers = { 'x-forwarded-for': ip };
  const formHeaders = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  return {
    /** Gives the form, as its address says. */
    async open(): Promise<string> {
      const { html } = await insist(link, 200, { headers });
      return new URL(actionIn(html), `http://pages${link}`).pathname;
    },
    /** Until it is kept; gives how often it was sent. */
    async send(form: string, choice: Choice): Promise<number> {
      const init = { method: 'POST', headers: formHeaders, body: bodyOf(choice) };
      return (await insist(form, 303, init)).times;
    },
  };
};

export type Visitor = ReturnType<typeof createVisitor>;
