// The roads of messaging that one workspace, or a stranger, can make slow for others: where the search of each begins, with what callers usually write.
import type { Genome, Place, Step } from './genome.ts';
import type { Bar } from './judge.ts';
import { text } from './sprout.ts';
import { type Parts, type Term, termOf } from './term.ts';

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

const many = (of: string, times: number): Term => ({ text: of, times });

const applied = { prefer: 'wait=20' };

/** Six thousand, each with sixty attributes and a text of 255 letters. */
const crowd: Step = {
  operation: 'users.track.bulk',
  times: 6,
  once: true,
  headers: applied,
  body: {
    object: {
      attributes: {
        list: {
          object: {
            external_id: text('crowd-{s}-{i}'),
            email: text('crowd-{s}-{i}@example.com'),
            first_name: text('Ada'),
            about: many('a', 255),
          },
          more: [{ name: 'k{i}', value: text('gold'), count: 60 }],
        },
        count: 1_000,
      },
    },
  },
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
const webhook = (body: Term): Term => ({
  object: {
    webhook: { object: { url: text('http://127.0.0.1:9/'), request_method: text('POST'), body } },
  },
});

/** On two channels, each of which holds its own. */
const webhookAndCard = (body: Term): Term => ({
  object: {
    webhook: {
      object: { url: text('http://127.0.0.1:9/'), request_method: text('POST'), body },
    },
    content_card: { object: { type: text('CLASSIC'), title: text('News'), description: body } },
  },
});

const toAudience = (filters: Term, others: Parts = {}): Pick<Genome, 'before' | 'parts' | 'body'> => ({
  before: [crowd],
  parts: { filters, ...others },
  body: {
    object: {
      broadcast: { raw: 'true' },
      audience: { object: { OR: { part: 'filters' } } },
      messages: webhook(text('Hello')),
    },
  },
});

const filter = (name: string, comparison: string, value: Term): Term => ({
  object: {
    custom_attribute: {
      object: { custom_attribute_name: text(name), comparison: text(comparison), value },
    },
  },
});

const toSome = (
  count: number,
  messages: Term,
  parts: Parts,
  before: Step[] = [],
): Omit<Genome, 'operation'> => ({
  before: [crowd, ...before],
  parts,
  body: {
    object: {
      external_user_ids: { list: text('crowd-0-{i}'), count },
      messages,
    },
  },
});

const atOneMoment = ({ body, ...genome }: Omit<Genome, 'operation'>): Omit<Genome, 'operation'> => ({
  ...genome,
  ...(body &&
    'object' in body && {
      body: { object: { ...body.object, schedule: { object: { time: text('{soon}') } } } },
    }),
});

/** Letters of which each takes two bytes. */
const series: Term = {
  joined: [text('{% for i in (1..9) %}'), many('слово ', 1), text('{% endfor %}')],
};

const letter: Term = {
  object: {
    email: {
      object: {
        app_id: text('demo-app'),
        from: { part: 'from' },
        subject: text('News'),
        should_inline_css: { raw: 'true' },
        body: { part: 'html' },
      },
    },
  },
};

const html: Term = {
  joined: [
    text('<style>'),
    many('p{color:red}', 5),
    many('td p{margin:0}', 5),
    text('</style>'),
    many('<p>Hello</p>', 20),
    many('<table><tr><td>', 1),
    text('<p>Bye</p>'),
  ],
};

/** Who sends an email and who gets it, and what else stands in its head. */
const addressed = (parts: Parts, before: Step[] = []): Omit<Genome, 'operation'> => ({
  alone: true,
  ...toSome(
    1,
    {
      object: {
        email: {
          object: {
            app_id: text('demo-app'),
            from: { part: 'from' },
            reply_to: { part: 'reply' },
            bcc: { part: 'copies' },
            subject: text('News'),
            body: text('<p>Hello</p>'),
            headers: { part: 'headers' },
          },
        },
      },
    },
    {
      from: { joined: [text('Shop'), text(' <news@example.com>')] },
      reply: { joined: [text('Help'), text(' <help@example.com>')] },
      headers: { object: {}, more: [{ name: 'X-Part-{i}', value: many('a', 1), count: 3 }] },
      ...parts,
    },
    before,
  ),
});

const page: Term = {
  joined: [
    text('<html><head>'),
    many('<meta ', 1),
    text('name="theme-color" content="red">'),
    text('</head><body>'),
    many('<p>Hello</p>', 1),
    text('</body></html>'),
  ],
};

const makeCenter: Step = {
  operation: 'preference_center.create',
  times: 1,
  headers: applied,
  body: {
    object: {
      name: text('road{n}'),
      preference_center_page_html: { part: 'page' },
      confirmation_page_html: text('<p>Saved</p>'),
      state: text('active'),
    },
  },
};

const makeBlock: Step = {
  operation: 'content_blocks.create',
  times: 1,
  headers: applied,
  body: { object: { name: text('road{n}'), content: { part: 'text' } } },
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
        ...toAudience(
          { list: { kept: filter('about', 'matches_regex', { part: 'pattern' }) }, count: 2 },
          {
            pattern: {
              joined: [text('^'), text('[a-z]'), many('\\pL{0,9}', 1), text('\\d+'), text('$')],
            },
          },
        ),
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
        ...toAudience({ list: { kept: filter('k{i}', 'equals', text('silver')) }, count: 3 }),
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
        ...toSome(2, letter, { html, from: { joined: [text('Shop'), text(' <news@example.com>')] } }),
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
        parts: { page },
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
      { operation: 'messages.send', title: 'a copy', ...addressed({ copies: many('copy@example.com', 1) }) },
      {
        operation: 'messages.send',
        title: 'a copy to whom a content block names',
        ...addressed(
          {
            copies: text(`{{content_blocks.\${road{n}}}}`),
            text: many('copy{% increment n %}@example.com,', 1),
          },
          [makeBlock],
        ),
      },
    ],
  },
];

export const seedsOfRoad = ({ name, seeds }: Road): Genome[] =>
  seeds.map((seed) => ({ ...seed, road: name }));
