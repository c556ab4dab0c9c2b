// A usual newsletter on a machine that has other work, beside an email of another workspace that is far too much work.
import { startBusyLoops } from '../harness/busy-loops.ts';
import { createCaller, trackAll } from '../harness/caller.ts';
import { watchEnds } from '../harness/chaos.ts';
import type { Client } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { type MailServer, openMailServer } from '../harness/smtp.ts';
import type { System } from '../harness/system.ts';
import { untilOver } from './sends/plant.ts';

const readers = 60;
const patienceMs = 400_000;

const firstName = `{{\${first_name}}}`;

/** 5 KB, 100 rules. */
const usual = [
  '<style>',
  ...Array.from({ length: 100 }, (_, n) => `.c${n} td { padding: ${n}px }`),
  '</style><table>',
  ...Array.from({ length: 50 }, (_, n) => `<tr class="c${n}"><td>Offer ${n} for ${firstName}</td></tr>`),
  '</table>',
].join('\n');

/** 1,300 rules for 20,000 elements, which stand nowhere before the text is written. */
const costly = `<style>${Array.from({ length: 1300 }, (_, n) => `b:not(.x${n}) { color: red }`).join('')}</style>
{% for i in (1..20000) %}<b>x</b>{% endfor %}`;

const emailOf = (n: number): string => `reader-${n}@example.com`;

const send = async (client: Client, people: number, body: string): Promise<void> => {
  const caller = createCaller(client, `news-${people}`);
  const attributes = Array.from({ length: people }, (_, n) => ({
    external_id: `r${n}`,
    first_name: `Ada${n}`,
    email: emailOf(n),
    plan: 'gold',
  }));
  await trackAll(caller, attributes);
  const email = { app_id: 'app', from: 'news@example.com', subject: 'News', body, should_inline_css: true };
  await caller.post('/messages/schedule/create', {
    broadcast: true,
    audience: { custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value: 'gold' } },
    schedule: { time: new Date().toISOString() },
    messages: { email },
  });
};

const statesIn = async ({ mongo }: System, ws: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for await (const { state } of mongo.collection<{ ws: string; state: string }>('sends').find({ ws }))
    counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

/** Equals signs are written as `=3D`, and long lines are broken. */
const plain = (text: string): string => text.replaceAll('=\r\n', '').replaceAll('=3D', '=');

const judgeMail = (got: ReadonlyMap<string, readonly string[]>): string[] => {
  const broken: string[] = [];
  const each = Array.from({ length: readers }, (_, n) => got.get(emailOf(n)) ?? []);
  const wrong = each.filter(({ length }) => length !== 1).length;
  if (wrong > 0) broken.push(`${wrong} of ${readers} readers did not get it exactly once`);
  const bare = each.filter(
    ([text = ''], n) => !plain(text).includes(`<td style="padding: 49px;">Offer 49 for Ada${n}</td>`),
  ).length;
  if (bare > 0) broken.push(`${bare} emails are without their styles or their text`);
  return broken;
};

const settings = {
  apps: [{ id: 'app', name: 'App', channels: { email: { smtp: { env: 'ROSTER_CREDENTIAL_SMTP' } } } }],
};

const judge = async (system: System, { got }: MailServer, ends: number): Promise<string[]> => {
  const broken = judgeMail(got);
  if (ends > 0) broken.push(`the process that sends was ended ${ends} times`);
  const [news, hard] = [await statesIn(system, 'news'), await statesIn(system, 'hard')];
  if (news.sent !== readers) broken.push(`the states of the readers are ${JSON.stringify(news)}`);
  if (hard.refused !== 1) broken.push(`the costly email is not refused: ${JSON.stringify(hard)}`);
  return broken;
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const server = await trial.opened(openMailServer());
  const system = await trial.system({
    services: ['ingress', 'track', 'messaging', 'sender'],
    instead,
    env: { ROSTER_CREDENTIAL_SMTP: server.url },
    supervise: true,
  });
  const [news, hard] = [
    await system.newWorkspace('news', settings),
    await system.newWorkspace('hard', settings),
  ];
  const watched = watchEnds(system, 'sender');
  trial.atEnd(startBusyLoops());
  const began = performance.now();
  await send(hard, 1, costly);
  await send(news, readers, usual);
  const over = await untilOver(system, patienceMs, () => watched.ends() > 0);
  const seconds = (performance.now() - began) / 1000;
  const ends = watched.stop();
  const broken = over === undefined ? ['it has not ended'] : await judge(system, server, ends);
  return { figures: { readers, seconds: seconds.toFixed(1), ends }, broken };
};

export const newsletter = faultOf(attempt, [{}, { sender: 'sender-unbounded' }], {
  name: 'newsletter',
  title:
    'a newsletter with 100 rules of CSS to 60 people beside four busy loops: each gets it once, and no process is ended',
  without: 'a thread and bounds of work for emails',
  breaks: /the process that sends was ended/,
});
