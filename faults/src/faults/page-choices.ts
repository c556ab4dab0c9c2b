// What people choose on the pages of preference centers counts once, also when a worker is killed between the click and the next page.
import { anyFreePort } from '@roster/local-stack';
import { type Caller, createCaller, trackAll } from '../harness/caller.ts';
import { killAlong } from '../harness/chaos.ts';
import { createDice, type Dice } from '../harness/dice.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { countDead } from '../harness/queue-state.ts';
import type { System } from '../harness/system.ts';
import { eachOf } from '../harness/wait.ts';
import { inShort } from './consent/judge.ts';
import { chooseBy } from './page-choices/choices.ts';
import { type Chooser, countApplied, wrongHistories, wrongStates } from './page-choices/judge.ts';
import { createVisitor, type Visitor } from './page-choices/visitor.ts';

const visitorsAtOnce = 16;
const choicesEach = 2;

const sizes = { full: { people: 5_000, kills: 10 }, quick: { people: 80, kills: 4 } };
const sizesOfControl = { full: { people: 250, kills: 4 }, quick: { people: 40, kills: 2 } };

const pageHtml = '<form method="post" action="{{preference_center_submit_url}}"><button>Save</button></form>';

const makeCenter = async ({ post }: Caller): Promise<string> => {
  const body = {
    name: 'own',
    preference_center_page_html: pageHtml,
    confirmation_page_html: '<p>Saved</p>',
  };
  const { body: made } = await post('/preference_center/v1', body);
  return String(made.preference_center_api_id);
};

const makePeople = async (caller: Caller, system: System, count: number, own: string): Promise<Chooser[]> => {
  const choosers = Array.from({ length: count }, (_, n) => ({
    id: `chooser-${n}`,
    center: n % 2 === 0 ? 'default' : own,
    choices: [],
  }));
  const attributes = choosers.map(({ id }, n) => ({
    external_id: id,
    email: `${id}@example.com`,
    phone: `+1500${5_550_000 + n}`,
  }));
  await trackAll(caller, attributes);
  if (!(await system.quiet(60_000))) throw new Error('the people were not there after 60 s');
  return choosers;
};

const linkOf = async ({ client }: System, { id, center }: Chooser): Promise<string> => {
  const { preference_center_url } = await client.roster.preference_center.user.get(center, id);
  return new URL(preference_center_url).pathname;
};

interface Sent {
  submissions: number;
  sendings: number;
}

/** One in three clicks twice; one in three sends the first form again when the second one is kept. */
const visit = async (visitor: Visitor, chooser: Chooser, dice: Dice, sent: Sent): Promise<void> => {
  const forms: string[] = [];
  for (let n = 0; n < choicesEach; n++) {
    const [form, choice] = [await visitor.open(), chooseBy(dice)];
    const clicks = dice.below(3) === 0 ? 2 : 1;
    const times = await Promise.all(Array.from({ length: clicks }, () => visitor.send(form, choice)));
    forms.push(form);
    chooser.choices.push(choice);
    sent.submissions += 1;
    sent.sendings += times.reduce((sum, one) => sum + one, 0);
  }
  const [form, choice] = [forms[0], chooser.choices[0]];
  if (form === undefined || !choice || dice.below(3) !== 0) return;
  const again = await visitor.send(form, choice);
  sent.sendings += again;
};

const ipOf = (n: number): string => `10.1.${Math.floor(n / 250)}.${1 + (n % 250)}`;

const judge = async (system: System, choosers: readonly Chooser[], { submissions }: Sent) => {
  const broken = await unfinished(system, 60_000);
  const applied = await countApplied(system.mongo);
  if (applied > submissions)
    broken.push(`${submissions} submissions were applied as ${applied}: some more than once`);
  if (applied < submissions) broken.push(`${submissions - applied} submissions were not applied`);
  const { gaps, sources, changes } = await wrongHistories(system.client, choosers);
  const found = {
    'histories have gaps': gaps,
    'changes do not name their preference center': sources,
    'states are not what was chosen last': await wrongStates(system.client, choosers),
  };
  for (const [what, wrong] of Object.entries(found)) broken.push(...inShort(what, wrong));
  const dead = await countDead(system.redis);
  if (dead > 0) broken.push(`${dead} submissions became dead letters`);
  return { applied, changes, broken };
};

const startOf = async (trial: Trial, mains: Record<string, string>) => {
  const ports = { pages: await anyFreePort(), 'pages-2': await anyFreePort() };
  const system = await trial.system({
    services: ['ingress', 'track', 'subscription', 'export', 'messaging', 'pages'],
    workers: { pages: 2, subscription: 2 },
    instead: { subscription: 'subscription-impatient', ...mains },
    // As behind a proxy: people have IPs of their own.
    env: { TRUSTED_PROXIES: '127.0.0.1,::1' },
    processEnv: Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [name, { PAGES_PORT: String(port) }]),
    ),
  });
  return { system, origins: Object.values(ports).map((port) => `http://127.0.0.1:${port}`) };
};

/** Neighbours in the list are of two services: one of each goes on. */
const victimsIn = (system: System): string[] => {
  const pages = system.processesOf('pages');
  return system.processesOf('subscription').flatMap((name, n) => [pages[n] ?? name, name]);
};

interface How {
  mains: Record<string, string>;
  sizes: typeof sizes;
}

const attempt = async (trial: Trial, { mains, sizes }: How): Promise<Findings> => {
  const { people, kills: wanted } = sizes[trial.quick ? 'quick' : 'full'];
  const { system, origins } = await startOf(trial, mains);
  const caller = createCaller(system.client, 'page-choices');
  const choosers = await makePeople(caller, system, people, await makeCenter(caller));
  const sent: Sent = { submissions: 0, sendings: 0 };
  const progress = (): number => sent.submissions / (people * choicesEach);
  const seed = trial.seedOr(17);
  const visiting = eachOf([...choosers.entries()], visitorsAtOnce, async ([n, chooser]) => {
    const visitor = createVisitor(await linkOf(system, chooser), origins, ipOf(n));
    await visit(visitor, chooser, createDice(seed * 10_000 + n), sent);
    if ((n + 1) % 500 === 0) trial.say(`${sent.submissions} submissions`);
  });
  const kills = await killAlong(system, victimsIn(system), wanted, progress, visiting);
  await visiting;
  const { applied, changes, broken } = await judge(system, choosers, sent);
  if (kills < wanted) broken.push(`there were ${kills} kills instead of ${wanted}: it proves too little`);
  return { figures: { people, ...sent, applied, 'changes told': changes, kills }, broken };
};

const proper: How = { mains: {}, sizes };
const forgetful: How = { mains: { pages: 'pages-forgetful' }, sizes: sizesOfControl };

export const pageChoices = faultOf(attempt, [proper, forgetful], {
  name: 'page-choices',
  title:
    'people choose on the pages of preference centers while their workers are killed: each form counts once, and the history tells where it came from',
  without: 'the key of a form: whatever is sent again is a request of its own',
  breaks: /some more than once/,
});
