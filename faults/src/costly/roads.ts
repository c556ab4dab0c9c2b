// The roads of messaging that one workspace, or a stranger, can make slow for others: where the search of each begins, with what callers usually write.
import type { Genome, Place, Step } from './genome.ts';
import type { Bar } from './judge.ts';
import { objectWith, type Parts, type Term, termOf, text } from './term.ts';

/** What strangers ask the pages for. No operation of the interface names them. */
export const pagePlaces: Readonly<Record<string, Place>> = {
  'pages.open': { method: 'GET', path: '/preferences/{link}', auth: 'nobody', bodyLimit: 0 },
  'pages.submit': { method: 'POST', path: '/preferences/{link}/{form}', auth: 'nobody', bodyLimit: 16_384 },
  'pages.unsubscribe': { method: 'POST', path: '/unsubscribe/{link}', auth: 'nobody', bodyLimit: 16_384 },
};

interface Road {
  name: string;
  /** What is wrong where the search finds it. */
  weakness: string;
  /** By which of these it shows; any other that is broken is told as well. */
  bars: readonly Bar[];
  seeds: readonly Omit<Genome, 'road'>[];
}

const applied = { prefer: 'wait=20' };

/** Six thousand, each with sixty attributes and a text of 255 letters. */
const crowd: Step = {
  operation: 'users.track.bulk',
  times: 6,
  once: true,
  headers: applied,
  body: objectWith({
    attributes: {
      list: {
        object: {
          external_id: text('crowd-{s}-{i}'),
          email: text('crowd-{s}-{i}@example.com'),
          first_name: text('Ada'),
          about: text('a', 255),
        },
        more: [{ name: 'k{i}', value: text('gold'), count: 60 }],
      },
      count: 1_000,
    },
  }),
};

/** The center that `make` made, where there is one: the link needs the id of the answer before. */
const linkTo = (center: string, ...make: Step[]): Step[] => [
  {
    operation: 'users.track',
    times: 1,
    headers: applied,
    body: termOf({ attributes: [{ external_id: 'ada', email: 'ada@example.com' }] }),
  },
  ...make,
  {
    operation: 'preference_center.user.get',
    times: 1,
    params: { preferenceCenterExternalID: center, userID: 'ada' },
  },
];

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Nobody listens there: a message is written and refused. */
const webhook = (body: Term | string): Term =>
  objectWith({ url: 'http://127.0.0.1:9/', request_method: 'POST', body });

/** On two channels, each of which holds its own. */
const webhookAndCard = (body: Term): Term =>
  objectWith({
    webhook: webhook(body),
    content_card: objectWith({ type: 'CLASSIC', title: 'News', description: body }),
  });

const toAudience = (some: Term, others: Parts = {}): Pick<Genome, 'before' | 'parts' | 'body'> => ({
  before: [crowd],
  parts: { filters: some, ...others },
  body: objectWith({
    broadcast: { raw: 'true' },
    audience: objectWith({ OR: { part: 'filters' } }),
    messages: objectWith({ webhook: webhook('Hello') }),
  }),
});

/** So many of a custom attribute. */
export const filters = (count: number, name: string, comparison: string, value: Term | string): Term => ({
  list: {
    kept: objectWith({
      custom_attribute: objectWith({ custom_attribute_name: name, comparison, value }),
    }),
  },
  count,
});

const toSome = (
  count: number,
  messages: Term,
  parts: Parts,
  before: Step[] = [],
): Omit<Genome, 'operation'> => ({
  before: [crowd, ...before],
  parts,
  body: objectWith({ external_user_ids: { list: text('crowd-0-{i}'), count }, messages }),
});

const atOneMoment = ({ body, ...genome }: Omit<Genome, 'operation'>): Omit<Genome, 'operation'> => ({
  ...genome,
  ...(body &&
    'object' in body && { body: objectWith({ ...body.object, schedule: termOf({ time: '{soon}' }) }) }),
});

/** Letters of which each takes two bytes. */
const series: Term = {
  joined: [text('{% for i in (1..9) %}'), text('слово ', 1), text('{% endfor %}')],
};

const emailWith = (members: Readonly<Record<string, Term | string>>): Term =>
  objectWith({ email: objectWith({ app_id: 'demo-app', from: { part: 'from' }, ...members }) });

const letter = emailWith({
  subject: 'News',
  should_inline_css: { raw: 'true' },
  body: { part: 'html' },
});

export const htmlOf = (rules: number, elements: number): Term => ({
  joined: [
    text('<style>'),
    text('h1~p{color:red}', rules),
    text('td p{margin:0}', 5),
    text('</style>'),
    text('<p>Hello</p>', elements),
    text('<table><tr><td>', 1),
    text('<p>Bye</p>'),
  ],
});

export const sender: Term = { joined: [text('Shop'), text(' <news@example.com>')] };

/** Who sends an email and who gets the answers, and what else stands in its head. */
export const heads: Parts = {
  from: sender,
  reply: { joined: [text('Help'), text(' <help@example.com>')] },
  headers: { object: {}, more: [{ name: 'X-Part-{i}', value: text('a', 1), count: 3 }] },
};

const addressed = (parts: Parts, before: Step[] = []): Omit<Genome, 'operation'> => ({
  alone: true,
  ...toSome(
    1,
    emailWith({
      reply_to: { part: 'reply' },
      bcc: { part: 'copies' },
      subject: 'News',
      body: '<p>Hello</p>',
      headers: { part: 'headers' },
    }),
    { ...heads, ...parts },
    before,
  ),
});

export const pageOf = (tags: number): Term => ({
  joined: [
    text('<html><head>'),
    text('<meta ', tags),
    text('name="theme-color" content="red">'),
    text('</head><body>'),
    text('<p>Hello</p>', 1),
    text('</body></html>'),
  ],
});

const makeCenter: Step = {
  operation: 'preference_center.create',
  times: 1,
  headers: applied,
  body: objectWith({
    name: 'road{n}',
    preference_center_page_html: { part: 'page' },
    confirmation_page_html: '<p>Saved</p>',
    state: 'active',
  }),
};

const makeBlock: Step = {
  operation: 'content_blocks.create',
  times: 1,
  headers: applied,
  body: objectWith({ name: 'road{n}', content: { part: 'text' } }),
};

export const roads: readonly Road[] = [
  {
    name: 'forms',
    weakness: 'forms that never come take all places of the pages',
    bars: ['others'],
    seeds: [
      {
        operation: 'pages.open',
        title: 'a page',
        before: linkTo('default'),
        params: { link: '{link}' },
        parts: {},
      },
      {
        operation: 'pages.unsubscribe',
        title: 'one click',
        headers: form,
        parts: { form: text('List-Unsubscribe=One-Click') },
        body: { part: 'form' },
      },
      {
        operation: 'pages.submit',
        title: 'a form',
        before: linkTo('default'),
        params: { link: '{link}' },
        headers: form,
        parts: { form: text('email_global_state=subscribed') },
        body: { part: 'form' },
      },
    ],
  },
  {
    name: 'patterns',
    weakness: 'patterns of an audience compute for long',
    bars: ['block', 'death'],
    seeds: [
      {
        operation: 'messages.send',
        title: 'patterns',
        alone: true,
        ...toAudience(filters(2, 'about', 'matches_regex', { part: 'pattern' }), {
          pattern: {
            joined: [text('^'), text('[a-z]'), text('\\pL{0,9}', 1), text('\\d+'), text('$')],
          },
        }),
      },
    ],
  },
  {
    name: 'audiences',
    weakness: 'audiences are looked through without a price',
    bars: ['others'],
    seeds: [
      {
        operation: 'messages.send',
        title: 'filters',
        ...toAudience(filters(3, 'k{i}', 'equals', 'silver')),
      },
    ],
  },
  {
    name: 'emails',
    weakness: 'styles of an email compute for long',
    bars: ['block', 'death'],
    seeds: [
      {
        operation: 'messages.send',
        title: 'a newsletter',
        alone: true,
        // One email shows it, and each of them takes long.
        ...toSome(2, letter, { html: htmlOf(60, 40), from: sender }),
      },
    ],
  },
  {
    name: 'centers',
    weakness: 'the head of a page computes for long',
    bars: ['block', 'death'],
    seeds: [
      {
        operation: 'pages.open',
        title: 'a page of its own',
        alone: true,
        before: linkTo('{id}', makeCenter),
        params: { link: '{link}' },
        parts: { page: pageOf(1) },
      },
    ],
  },
  {
    name: 'texts',
    weakness: 'texts that wait to be sent fill the memory',
    bars: ['memory', 'death'],
    seeds: [
      {
        operation: 'messages.send',
        title: 'a text',
        ...toSome(50, webhookAndCard({ part: 'text' }), { text: series }),
      },
      {
        operation: 'messages.schedule.create',
        title: 'a text of a content block, all at one moment',
        ...atOneMoment(
          toSome(50, webhookAndCard(text(`{{content_blocks.\${road{n}}}}`)), { text: series }, [makeBlock]),
        ),
      },
    ],
  },
  {
    name: 'headers',
    weakness: 'an address of an email is many recipients',
    bars: ['recipients'],
    seeds: [
      { operation: 'messages.send', title: 'a copy', ...addressed({ copies: text('copy@example.com', 1) }) },
      {
        operation: 'messages.send',
        title: 'a copy to whom a content block names',
        ...addressed(
          {
            copies: text(`{{content_blocks.\${road{n}}}}`),
            text: text('copy{% increment n %}@example.com,', 1),
          },
          [makeBlock],
        ),
      },
    ],
  },
];

export const seedsOfRoad = ({ name, seeds }: Road): Genome[] =>
  seeds.map((seed) => ({ ...seed, road: name }));
