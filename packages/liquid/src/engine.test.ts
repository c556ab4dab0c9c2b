import { createEngine } from './engine.ts';
import type { Template } from './fault.ts';

const engine = createEngine();
const check = (content: string) => {
  const reply = engine({ content });
  return 'checked' in reply
    ? reply.checked
    : { faults: 'fault' in reply ? [reply.fault] : [], includes: [], centers: [], states: [], names: [] };
};
const render = (text: string, more: Omit<Template, 'text'> = {}) => engine({ template: { text, ...more } });

/** As the interface writes names. */
const $ = (name: string): string => `\${${name}}`;
const block = (name: string): string => `{{content_blocks.${$(name)}}}`;

describe('rendering', () => {
  it.each([
    ['plain text', 'Hello', 'Hello'],
    ['a name', `Hello {{${$('first_name')}}}!`, 'Hello Ada!'],
    ['a name with a filter', `Hello {{ ${$('first_name')} | upcase }}!`, 'Hello ADA!'],
    ['a name that nobody has', `Hello {{${$('nobody')} | default: 'you'}}!`, 'Hello you!'],
    ['a name with spaces in a group', `{{custom_attribute.${$('favourite color')}}}`, 'green'],
    ['a condition', `{% if ${$('first_name')} == 'Ada' %}yes{% endif %}`, 'yes'],
    ['the same form outside of Liquid', `<script>f(a.${$('b')})</script>`, `<script>f(a.${$('b')})</script>`],
    ['raw', `{% raw %}{{a.${$('b')}}}{% endraw %}{{${$('first_name')}}}`, `{{a.${$('b')}}}Ada`],
    ['a comment', `{% comment %}{{ ${$('b')} }}{% endcomment %}x`, 'x'],
    ['a block', `<${block('footer')}>`, '<The end of Ada>'],
    ['a block in a block', block('outer'), '[The end of Ada]'],
    ['a block that is not there', `<${block('nothing')}>`, '<>'],
    ['a block with a filter', `{{content_blocks.${$('footer')} | upcase}}`, 'THE END OF ADA'],
    ['the field of all emails', '{% form_field_name :email_global_state %}', 'email_global_state'],
    ['the field of a group', '{%- form_field_name :subscription_group  "news" -%}', 'group.news'],
    ['a field in a block', block('field'), 'group.news'],
    [
      'names of prototypes',
      '{{ constructor }}{{ constructor.name }}{{ x.__proto__ }}{{ x.constructor.constructor }}{{ content_blocks.constructor }}',
      '',
    ],
    ['a prototype name as a block', `<${block('__proto__')}${block('constructor')}>`, '<>'],
  ])('%s', (_what, text, wanted) => {
    const blocks = {
      footer: `The end of {{${$('first_name')}}}`,
      outer: `[${block('footer')}]`,
      field: '{% form_field_name :subscription_group news %}',
    };
    const variables = { first_name: 'Ada', custom_attribute: { 'favourite color': 'green' }, x: {} };
    expect(render(text, { variables, blocks })).toEqual({ text: wanted });
  });

  it('escapes values for HTML, but not what blocks are made of', () => {
    const template = {
      escape: 'html' as const,
      variables: { name: '<b>"A" & \'B\'</b>', list: ['<', '>'] },
      blocks: { bold: '<i>{{name}}</i>' },
    };
    expect(render(`<p>{{name | raw}}{{list}}</p>${block('bold')}`, template)).toEqual({
      text: '<p>&lt;b&gt;&#34;A&#34; &amp; &#39;B&#39;&lt;/b&gt;&lt;&gt;</p><i>&lt;b&gt;&#34;A&#34; &amp; &#39;B&#39;&lt;/b&gt;</i>',
    });
  });
});

describe('what is no Liquid is told with its place', () => {
  it.each([
    ['a tag that is not closed', 'a\nb {% if x %}', 2, 3],
    ['an output that is not closed', 'a {{ b', 1, 3],
    ['an unknown tag', 'a\n\n  {% magic %}', 3, 3],
    ['an unknown filter', 'a {{ b | magic }}', 1, 3],
    ['a file', "{% include 'secrets' %}", 1, 1],
    ['a file, rendered', "{% render 'secrets' %}", 1, 1],
    ['tags inside a tag', '{% liquid\nif x\nendif %}', 1, 1],
    ['a layout', "{% layout 'secrets' %}", 1, 1],
    ['blocks without a name', 'a {{ content_blocks }}', 1, 6],
    ['blocks by a name that is made', '{{ content_blocks[x] }}', 1, 4],
    ['a field that there is not', 'a\n{% form_field_name :phone %}', 2, 1],
    ['a field of nothing', '{% form_field_name :subscription_group %}', 1, 1],
    ['a field with more than a name', '{% form_field_name :subscription_group a b %}', 1, 1],
    ['blocks under another name', "{% assign b = content_blocks %}{{ b['x'] }}", 1, 15],
  ])('%s', (_what, content, line, column) => {
    expect(check(content).faults).toEqual([
      { kind: 'syntax', reason: expect.not.stringContaining('line:'), line, column },
    ]);
  });

  it('and the place is that of the form that was written', () => {
    expect(check(`{{a.${$('b')}}} {{${$('c')}}} {% if x %}`).faults).toMatchObject([{ line: 1, column: 21 }]);
  });
});

it('the blocks that a content includes', () => {
  const content = `${block('a')} {% if x == content_blocks.${$('b-1')} %}${block('a')}{% endif %}{% raw %}${block('c')}{% endraw %}`;
  const found = { faults: [], centers: [], states: [], names: ['content_blocks', 'x'] };
  expect(check(content)).toEqual({ ...found, includes: ['a', 'b-1'] });
  expect(check(block('__proto__')).includes).toEqual(['__proto__']);
});

it('the subscription groups that a content names, in fields of a form too', () => {
  const field = (group: string) => `{% form_field_name :subscription_group ${group} %}`;
  const state = (group: string) => `{{subscribed_state.${$(group)}}}`;
  const content = `${field('news')}{% if x %}${field('"a-b"')}${state('news')}{% endif %}${state('email_global')}{{subscribed_state[x]}}`;
  expect(check(content).states).toEqual(['news', 'a-b', 'email_global']);
  expect(check('{% form_field_name :email_global_state %}{{subscribed_state}}').states).toEqual([]);
});

it('tags may stand 30 deep', () => {
  expect(render(`${'{% if true %}'.repeat(30)}x${'{% endif %}'.repeat(30)}`)).toEqual({ text: 'x' });
});

describe('too much is refused', () => {
  it.each([
    ['deep nesting', '{% if x %}'.repeat(20_000) + '{% endif %}'.repeat(20_000)],
    ['deep nesting behind half a name', `{% if $${'{\\ %}{% if $'.repeat(20_000)}`],
    ['deep nesting behind a comment', `{% comment %}{% endcomment x %}${'{% if x %}'.repeat(20_000)}`],
    ['deep nesting behind a raw that is a text', `{{ "}}{% raw %}" }}${'{% if x %}'.repeat(2_000)}`],
    [
      'deep nesting behind a name with a quote',
      `{{ $${"{it's}"} }}{% raw %} ' }}${'{% if x %}'.repeat(2_000)}`,
    ],
    ['deep nesting behind a blank of liquidjs', '{%\u180eif x %}'.repeat(2_000)],
    [
      'deep nesting with ends in comments',
      '{% if x %}{% comment %}{% endif %}{% endcomment %}'.repeat(2_000),
    ],
    ['deep brackets', `{{ ${'a['.repeat(20_000)}b${']'.repeat(20_000)} }}`],
    ['tags one deeper than allowed', `${'{% if x %}'.repeat(31)}${'{% endif %}'.repeat(31)}`],
    ['a long range', '{% for i in (1..100000000) %}{% endfor %}'],
    [
      'text that doubles',
      `{% assign a = 'xxxxxxxxxxxxxxxx' %}${'{% assign a = a | append: a %}'.repeat(30)}{{a}}`,
    ],
    ['text that is written again and again', '{% for i in (1..100000) %}{{ x }}{{ x }}{{ x }}{% endfor %}'],
    ['a block that includes itself', block('self')],
  ])('%s', (_what, text) => {
    const more = { variables: { x: 'x'.repeat(100) }, blocks: { self: block('self') } };
    expect(render(text, more)).toMatchObject({ fault: { kind: 'cost' } });
  });

  it.each([
    ['behind a raw that is a text', '{{ "}}{% raw %}" }}'],
    ['behind a comment', '{% comment %}{% endif %}{% endcomment %}'],
  ])('deep nesting is seen before the stack follows it %s', (_what, before) => {
    const reason = 'tags or brackets stand more than 30 deep';
    expect(render(`${before}${'{% if x %}'.repeat(31)}`)).toEqual({ fault: { kind: 'cost', reason } });
  });
});

describe('a series', () => {
  const rendered = (texts: Pick<Template, 'text' | 'escape'>[], ...variables: Record<string, unknown>[]) => {
    const reply = engine({ series: { texts, variables, blocks: { footer: '<b>{{name}}</b>' } } });
    return 'rendered' in reply ? reply.rendered : reply;
  };

  it('is all texts for each person', () => {
    const texts = [{ text: 'Hi {{name}}' }, { text: `{{name}}${block('footer')}`, escape: 'html' as const }];
    expect(rendered(texts, { name: 'Ada' }, { name: '<i>' })).toEqual([
      ['Hi Ada', 'Ada<b>Ada</b>'],
      ['Hi <i>', '&lt;i&gt;<b>&lt;i&gt;</b>'],
    ]);
  });

  it('goes on after a person for whom it fails, or whom the text leaves out', () => {
    const text = "{% if vip %}{{ n | divided_by: n }}{% else %}{% abort_message('no vip') %}{% endif %}";
    expect(rendered([{ text }], { vip: true, n: 1 }, {}, { vip: true, n: 2 })).toEqual([
      ['1'],
      { kind: 'aborted', reason: 'no vip' },
      ['1'],
    ]);
  });

  it.each(['{% abort_message %}', '{% abort_message() %}', '{% abort_message("x") %}'])(
    'knows %s',
    (text) => {
      expect(check(text).faults).toEqual([]);
    },
  );

  it('refuses an abort whose reason is no text', () => {
    const reason = expect.stringContaining('abort_message takes a reason');
    expect(check('{% abort_message(x) %}').faults).toMatchObject([{ kind: 'syntax', reason }]);
  });
});
