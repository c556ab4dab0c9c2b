/** Templates of the tests. */
import type { Template } from './fault.ts';

export const hello: Template = { text: 'Hello {{name}}', variables: { name: 'Ada' } };

export const loopsOver = (times: number, inside: string): string =>
  `{% for i in (1..${times}) %}${inside}{% endfor %}`;

const loops = (depth: number, inside: string): string =>
  '{% for i in (1..1000) %}'.repeat(depth) + inside + '{% endfor %}'.repeat(depth);

/** No step and no second is the last one. */
export const endless: Template = { text: loops(20, '') };
export const outOfReach = {
  steps: Number.MAX_SAFE_INTEGER,
  made: Number.MAX_SAFE_INTEGER,
  cpuMs: 1e9,
  wallMs: 1e9,
};

/** Takes memory without end: a comparison makes one text of the many parts that a capture leaves. */
export const doubling = `{% assign a = 'xxxxxxxxxxxxxxxx' %}${loopsOver(
  200,
  "{% capture a %}{{a}}{{a}}{% endcapture %}{% if a contains 'y' %}{% endif %}",
)}`;

/** What gets past the limits of the library, which counts what filters make and nothing else. */
const grows =
  "{% assign a = 'xxxxxxxxxxxxxxxx' %}{% for i in (1..200) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}";

/** Each block includes the next one twice: 2^18 renderings of nothing. */
const twice = Object.fromEntries(
  Array.from({ length: 18 }, (_, n) => [`b${n}`, `{{content_blocks.b${n + 1}}}`.repeat(2)]),
);

const captured = (text: string): string => `{% capture a %}${text}{% endcapture %}`;

/** As much as filters, ranges and captures may make: the heap of a thread has to hold it. */
export const large: [what: string, text: string][] = [
  ['a range', '{% assign r = (1..499990) %}{{ r | size }}'],
  ['several ranges', [1, 2, 3, 4].map((n) => `{% assign r${n} = (1..124000) %}`).join('')],
  ['a list that is copied', '{% assign l = (1..240000) | reverse %}{{ l | size }}'],
  ['a text that is escaped', `${captured(loopsOver(12, '<>&"'.repeat(5_000)))}{{ a | escape | size }}`],
  ['a capture', `${captured(loopsOver(24, 'é中'.repeat(10_000)))}{{a}}{{a}}`],
];

export const hostile: [what: string, text: string, blocks?: Template['blocks']][] = [
  ['loops without end', loops(20, '')],
  ['loops that count', loops(20, '{% increment n %}')],
  ['loops that write', loops(20, 'x')],
  ['text that doubles in a capture', grows],
  ['deep nesting', '{% if x %}'.repeat(5_000)],
  ['a million outputs', '{{a}}'.repeat(800_000)],
  ['blocks that double', '{{content_blocks.b0}}', { ...twice, b18: '' }],
  ['garbage', loops(20, "{% assign a = 'x,y,z,w' | split: ',' %}")],
  ['a range of a million', '{% assign r = (1..999999) %}'],
  ['ranges', Array.from({ length: 9 }, (_, n) => `{% assign r${n} = (1..110000) %}`).join('')],
  [
    'a large text that is escaped',
    `${captured(loopsOver(40, '<>&"'.repeat(5_000)))}{{ a | escape | escape }}`,
  ],
  ['names of prototypes', `{% assign a = "__proto__" %}${loops(20, '{{ x[a][a].constructor }}')}`],
];

/** Of 50 KB, as large as a content may be. */
export const hostileContents: [what: string, content: string][] = [
  ['ten thousand outputs', '{{a}}'.repeat(10_000)],
  ['conditions in a row', '{% if a %}{% endif %}'.repeat(2_500)],
  ['one long condition', `{% if a${' and a'.repeat(8_000)} %}{% endif %}`],
  ['blocks', Array.from({ length: 2_000 }, (_, n) => `{{content_blocks.b${n}}}`).join('')],
  ['a long chain of filters', `{{a${'|upcase'.repeat(7_000)}}}`],
  ['a long path', `{{a${'.a'.repeat(25_000)}}}`],
];
