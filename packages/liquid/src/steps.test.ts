/** What is refused depends on the count of steps alone: no clock and no thread is here. */
import fc from 'fast-check';
import { createEngine } from './engine.ts';
import type { LiquidJob, LiquidReply, Template } from './fault.ts';
import { limits } from './limits.ts';
import type { StepCounts } from './steps.ts';
import { hostileContents, loopsOver } from './testbed.ts';

const engine = createEngine();
const tooMany = (steps: number) => ({
  fault: { kind: 'cost', reason: `it takes more than ${steps} steps` },
});
const isRefused = (reply: LiquidReply): boolean => 'fault' in reply && / steps$/.test(reply.fault.reason);

/** Nothing but tags and outputs: more of them than a thread has memory for. */
const ofParts = new Set(['ten thousand outputs', 'conditions in a row']);

const words = Array.from({ length: 1_000 }, (_, n) => `word ${(n * 7919) % 1_000}`);
const many = {
  words,
  same: [...words],
  items: words.map((name) => ({ name, words: ['a', 'b'] })),
  members: Object.fromEntries(words.map((word) => [word, 1])),
  text: 'lorem <b>ipsum</b> & dolor '.repeat(400),
  a: 'a'.repeat(20_000),
  ba: `b${'a'.repeat(5_000)}`,
  zeros: `%${'0'.repeat(20_000)}`,
  lists: Array.from({ length: 50 }, () => ({ words })),
  on: '2026-11-23',
  one: [{ name: 'x' }],
};

describe('a hostile template is refused by the count', () => {
  const again = (inside: string): string => loopsOver(100_000, inside);
  const filtered = (filter: string, of = 'words'): [string, string] => [
    `${of} | ${filter}`,
    again(`{% assign b = ${of} | ${filter} %}`),
  ];

  it.each([
    ['long chains of filters', again(`{{ text${'|size'.repeat(1_000)} }}`)],
    ['long conditions', again(`{% if a${' and a'.repeat(1_000)} %}{% endif %}`)],
    ['operands without operators', again(`{% if ${'1 '.repeat(1_000)} %}{% endif %}`)],
    ['branches that are never taken', again(`{% if nil %}${'{% elsif nil %}'.repeat(1_000)}{% endif %}`)],
    ['values of a case', again(`{% case 1 %}${'{% when 2 %}'.repeat(1_000)}{% endcase %}`)],
    ['long paths', again(`{{ x${'.x'.repeat(1_000)} }}`)],
    ['long tags', again(`{% cycle ${"'x',".repeat(1_000)} 'x' %}`)],
    ['empty captures', again('{% capture x %}{% endcapture %}')],
    ['loops of one round', again('{% for j in (1..1) %}{% endfor %}')],
    ['rows of a table', again('{% capture x %}{% tablerow j in (1..1) %}{% endtablerow %}{% endcapture %}')],
    ['comments', again('{% # nothing %}')],
    ['names of months', again("{{ on | date: '%B' }}")],
    ['times of a place', again("{{ on | date: '%Y', 'Europe/Berlin' }}")],
    ['a directive without an end', again('{{ on | date: zeros }}')],
    ['texts that are looked for', again('{% if a contains ba %}{% endif %}')],
    ['texts that are looked for from behind', again("{{ a | replace_last: ba, '' | size }}")],
    ['elements that are looked for', again("{% if words contains 'x' %}{% endif %}")],
    ['lists that are compared', again('{% if words == same %}{% endif %}')],
    ['lists in a case', again('{% case words %}{% when same %}{% when same %}{% endcase %}')],
    ['members of an object', again('{% for x in members limit: 1 %}{% endfor %}')],
    ['the size of an object', again('{% if members.size == 1 %}{% endif %}')],
    ['a limit that is a list', again('{% for x in (1..1) limit: words %}{% endfor %}')],
    ['a list in itself', again('{% assign words = words | push: words | push: words %}')],
    ['a list in lists', again('{% assign x = one | push: x %}')],
    [
      'expressions made of text',
      `{% assign e = '${'i and '.repeat(2_000)}i' %}${filtered("where_exp: 'i', e", 'one')[1]}`,
    ],
    ['paths made of text', `{% assign e = 'i${'.i'.repeat(2_000)}' %}${filtered('map: e', 'items')[1]}`],
    ['lists as keys of a sort', filtered("sort: 'words'", 'lists')[1]],
    filtered("where: 'name', 'x'", 'items'),
    filtered("sort: 'name'", 'items'),
    filtered("sort_natural: 'name'", 'items'),
    filtered("group_by: 'name'", 'items'),
    filtered("find: 'name', 'x'", 'items'),
    filtered("sum: 'name'", 'items'),
    filtered("where_exp: 'i', 'i.name == 1'", 'items'),
    filtered('json', 'items'),
    filtered('sample'),
    filtered('plus: 1'),
    filtered('url_encode', 'text'),
  ])('%s', (_what, text) => {
    // A fifth of the budget is enough to see it.
    const steps = limits.steps / 5;
    expect(createEngine({ steps })({ template: { text, variables: many } })).toEqual(tooMany(steps));
  });

  it.each(hostileContents.filter(([what]) => ofParts.has(what)))('the check of %s', (_what, content) => {
    expect(engine({ content })).toEqual(tooMany(limits.steps));
  });

  it('a series, each of whose persons is at fault, ends soon', () => {
    const text = `{% abort_message %}${'\n'.repeat(50_000)}`;
    const variables = Array.from({ length: 200 }, () => ({}));
    const reply = engine({ series: { texts: [{ text }], variables } });
    expect('rendered' in reply && reply.rendered.length).toBeLessThan(50);
  });
});

describe('each kind of work is counted, and without its count the same template goes on', () => {
  const steps = 1_000;
  const rows: Record<StepCounts, string> = {
    parts: '{% if nil %}{{a}}{{a}}{{a}}{{a}}{{a}}{% endif %}'.repeat(10),
    nodes: `{% for i in (1..50) %}${'{% # %}'.repeat(20)}{% endfor %}`,
    rounds: loopsOver(1_100, ''),
    operands: `{% for i in (1..20) %}{% if 1${' and 1'.repeat(40)} %}{% endif %}{% endfor %}`,
    names: `{% for i in (1..20) %}{{ a${'.a'.repeat(60)} }}{% endfor %}`,
    filters: `{% for i in (1..20) %}{{ 1${'|abs'.repeat(60)} }}{% endfor %}`,
    sizes: loopsOver(20, '{% if text == nil %}{% endif %}'),
  };

  it.each(Object.entries(rows) as [StepCounts, string][])('%s', (kind, text) => {
    const job: LiquidJob = { template: { text, variables: { text: 'x'.repeat(10_000) } } };
    expect(createEngine({ steps })(job)).toEqual(tooMany(steps));
    expect(createEngine({ steps, uncounted: [kind] })(job)).toEqual({ text: expect.any(String) });
  });
});

describe('an innocent template is far from the limit', () => {
  const products = Array.from({ length: 50 }, (_, n) => ({
    name: `Product ${n}`,
    price: 20 + n,
    text: 'A fine thing for the kitchen & the garden. '.repeat(20),
  }));
  const blocks = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [
      `b${n}`,
      `<p>{{ city | upcase }} ${'text '.repeat(100)}{% if isNew and city == 'Rome' %}new{% endif %}</p>`,
    ]),
  );
  const tenFilters =
    "{{ p.name | strip | downcase | capitalize | replace: 'x', 'y' | append: '!' | prepend: '*' | truncate: 40 | escape_once | default: '-' | strip_html }}";
  const newsletter =
    'Dear {{name}}, all of this is new in our shop. '.repeat(100) +
    Object.keys(blocks)
      .map((name) => `{{content_blocks.${name}}}`)
      .join('') +
    `{% for p in products %}${tenFilters} {{ p.price | times: 1.2 | round: 2 }} {{ p.text | truncate: 80 }}{% endfor %}`;
  const template: Template = {
    text: newsletter,
    variables: { products, name: 'Ada' },
    blocks,
    escape: 'html',
  };

  it('a newsletter of 5 KB with ten blocks and fifty products takes less than a fifth', () => {
    expect(createEngine({ steps: limits.steps / 5 })({ template })).toEqual({ text: expect.any(String) });
  });

  it('five thousand assignments with filters take less than a half', () => {
    const text = loopsOver(100, `${'{% assign b = "x" | append: "y" %}'.repeat(50)}{{b}}`);
    expect(createEngine({ steps: limits.steps / 2 })({ template: { text } })).toEqual({
      text: 'xy'.repeat(100),
    });
  });

  it('a thousand events are filtered and sorted within a fifth', () => {
    const text =
      "{% assign e = items | where: 'name' | sort: 'name' %}{% for i in e limit: 20 %}{{i.name}}{% endfor %}";
    const job: LiquidJob = { template: { text, variables: many } };
    expect(createEngine({ steps: limits.steps / 5 })(job)).toEqual({ text: expect.any(String) });
  });

  it.each(hostileContents.filter(([what]) => !ofParts.has(what)))(
    'a content of 50 KB can be checked: %s',
    (_what, content) => {
      expect(engine({ content })).toMatchObject({ checked: { faults: [] } });
    },
  );

  it('a content may have some thousand outputs', () => {
    expect(engine({ content: '{{a}}'.repeat(3_000) })).toMatchObject({ checked: { faults: [] } });
  });
});

describe('what ran before does not matter', () => {
  const pieces = fc.constantFrom(
    '{{a}}',
    'text',
    '{{ a | upcase | append: a }}',
    '{% if a == "x" and b %}{{b.c}}{% endif %}',
    '{{content_blocks.one}}',
    '{{content_blocks.two}}',
    loopsOver(7, '{{i}}'),
    '{{ list | sort | join }}',
    '{{ 1 | divided_by: a | nothing }}',
    '{% abort_message %}',
  );
  const texts = fc.array(pieces, { maxLength: 8 }).map((some) => some.join(''));
  const templates = fc.record({ text: texts, blocks: fc.record({ one: texts, two: texts }) });
  const jobs = fc.oneof(
    texts.map((content): LiquidJob => ({ content })),
    templates.map((of): LiquidJob => ({ template: { ...of, variables: { a: 'x', list: ['b', 'a'] } } })),
    templates.map(
      ({ text, blocks }): LiquidJob => ({
        series: { texts: [{ text }], blocks, variables: [{ a: 'x' }, {}] },
      }),
    ),
  );

  it('a template gets the same answer whether it and its blocks were parsed before or not', () => {
    const law = fc.property(jobs, fc.array(jobs, { maxLength: 3 }), fc.nat(400), (job, others, steps) => {
      const [cold, warm] = [createEngine({ steps }), createEngine({ steps })];
      for (const one of [...others, job, job]) warm(one);
      expect(warm(job)).toEqual(cold(job));
    });
    fc.assert(law, { seed: 89312, numRuns: 150 });
  });

  it('an engine whose kept templates were not paid for again would be found out', () => {
    const [text, steps] = ['{{a}}'.repeat(10), 170];
    const warm = createEngine({ steps });
    for (let n = 0; n < 2; n++) expect(isRefused(warm({ template: { text } }))).toBe(true);
    expect(isRefused(createEngine({ steps, uncounted: ['parts'] })({ template: { text } }))).toBe(false);
  });
});

it('the place of a fault is found in a long source', () => {
  const reply = engine({ content: `${'{{a}}\n'.repeat(2_500)}  {{ content_blocks }}` });
  expect(reply).toMatchObject({ checked: { faults: [{ line: 2_501, column: 6 }] } });
});
