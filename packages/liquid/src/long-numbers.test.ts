import { createEngine } from './engine.ts';

const engine = createEngine();
const edge = 2n ** 53n;
const variables = {
  edge,
  id: edge + 1n,
  lowest: -(2n ** 63n),
  ids: [edge + 1n, edge, 1],
  people: [
    { id: edge, name: 'Ada' },
    { id: edge + 1n, name: 'Grace' },
  ],
};
const render = (text: string) => engine({ template: { text, variables } });

describe('whole numbers that a double does not hold', () => {
  it.each([
    [
      'as they are',
      '{{ edge }} {{ id }} {{ lowest }}',
      '9007199254740992 9007199254740993 -9223372036854775808',
    ],
    [
      'in lists',
      "{{ ids | join: ' ' }} {{ ids }}",
      '9007199254740993 9007199254740992 1 900719925474099390071992547409921',
    ],
    [
      'from the template',
      '{{ 9007199254740993 }} {{ -9223372036854775808 }}',
      '9007199254740993 -9223372036854775808',
    ],
    [
      'as JSON',
      '{{ people | json }}',
      '[{"id":9007199254740992,"name":"Ada"},{"id":9007199254740993,"name":"Grace"}]',
    ],
    ['as JSON with spaces', '{{ ids | json: 1 }}', '[\n 9007199254740993,\n 9007199254740992,\n 1\n]'],
    [
      'by other filters of JSON',
      '{{ ids | inspect }} {{ id | jsonify }}',
      '[9007199254740993,9007199254740992,1] 9007199254740993',
    ],
    ['sorted', "{{ ids | sort | join: ' ' }}", '1 9007199254740992 9007199254740993'],
    [
      'through filters that pass them on',
      '{{ ids | uniq | reverse | first }} {{ nobody | default: id }}',
      '1 9007199254740993',
    ],
    ['in texts', "{{ id | append: '!' }} {{ id | size }}", '9007199254740993! 0'],
  ])('are written %s', (_how, text, wanted) => expect(render(text)).toEqual({ text: wanted }));

  it.each([
    'id == 9007199254740993',
    'id != 9007199254740992',
    'edge == 9007199254740992',
    'edge < 9007199254740993',
    'id > edge',
    'lowest < 0',
    'lowest == -9223372036854775808',
    'ids contains 9007199254740993',
    'ids contains 1',
  ])('are compared digit by digit: %s', (condition) =>
    expect(render(`{% if ${condition} %}yes{% endif %}`)).toEqual({ text: 'yes' }),
  );

  it.each([
    ['{% case id %}{% when 9007199254740992 %}no{% when 9007199254740993 %}yes{% endcase %}', 'yes'],
    ["{{ people | where: 'id', 9007199254740993 | map: 'name' }}", 'Grace'],
    ["{{ people | find: 'id', 9007199254740992 | map: 'name' }}", 'Ada'],
  ])('are found: %s', (text, wanted) => expect(render(text)).toEqual({ text: wanted }));

  // docs/messaging.md tells so.
  it.each([
    ['{{ id | plus: 1 }}', '9007199254740992'],
    ['{{ 1 | plus: id }}', '9007199254740992'],
    ['{{ id | minus: 9007199254740993 }}', '0'],
    ['{{ id | divided_by: 2 }}', '4503599627370496'],
    ['{{ lowest | abs }}', '9223372036854776000'],
    ['{{ id | at_least: 1 | round }}', '9007199254740992'],
    ['{{ ids | sum }}', '18014398509481984'],
    ["{{ 'abc' | truncate: 9007199254740993 }}", 'abc'],
  ])('are calculated with as doubles: %s', (text, wanted) => expect(render(text)).toEqual({ text: wanted }));

  it('leave nothing behind: JSON elsewhere still refuses them', () => {
    render('{{ ids | json }}');
    expect(() => JSON.stringify(1n)).toThrow(TypeError);
  });

  it('do not make a list that holds itself many times readable', () => {
    const doubled =
      '{% assign a = ids %}{% for i in (1..40) %}{% assign b = a | slice: 0, 0 | push: a | push: a %}{% assign a = b %}{% endfor %}{{ a | json }}';
    expect(render(doubled)).toMatchObject({ fault: { kind: 'cost' } });
  });

  it('have up to 19 digits in a template: a longer one costs no more than it did', () => {
    const digits = '9'.repeat(40_000);
    expect(render(`{{ ${digits} }}`)).toEqual({ text: 'Infinity' });
    expect(render('{{ 18446744073709551616 }}')).toEqual({ text: '18446744073709552000' });
  });
});
