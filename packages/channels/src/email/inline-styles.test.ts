import { createSteps } from './costs.ts';
import { readHtml } from './html-tree.ts';
import { inlineStyles, withEdits } from './inline-styles.ts';

const inlined = (html: string): string => {
  const take = createSteps();
  return withEdits(html, inlineStyles(readHtml(html, take), html, take));
};

const withCss = (css: string, html: string): string => inlined(`<style>${css}</style>${html}`);

it.each([
  ['a name', 'p { color: red }', '<p>x</p>', '<p style="color: red;">x</p>'],
  [
    'a class among others',
    '.a { color: red }',
    '<p class="b a">x</p>',
    '<p style="color: red;" class="b a">x</p>',
  ],
  ['an id', '#a { color: red }', "<p id='a'>x</p>", '<p style="color: red;" id=\'a\'>x</p>'],
  ['an attribute', '[dir=rtl] { color: red }', '<p dir=rtl>x</p>', '<p style="color: red;" dir=rtl>x</p>'],
  ['everything', '* { margin: 0 }', '<br/>', '<br style="margin: 0;"/>'],
  ['a list', 'b, i { color: red }', '<i>x</i>', '<i style="color: red;">x</i>'],
  [
    'descendants',
    'div .a i { color: red }',
    '<div><p class=a><b><i>x</i></b></p></div>',
    '<div><p class=a><b><i style="color: red;">x</i></b></p></div>',
  ],
  [
    'children',
    'div > i { color: red }',
    '<div><i>x</i><b><i>y</i></b></div>',
    '<div><i style="color: red;">x</i><b><i>y</i></b></div>',
  ],
  [
    'neighbours',
    'b + i, b ~ u { color: red }',
    '<b></b><i>x</i><u>y</u>',
    '<b></b><i style="color: red;">x</i><u style="color: red;">y</u>',
  ],
  [
    'places',
    'td:first-child { color: red } td:nth-child(2n) { color: blue }',
    '<tr><td>1</td><td>2</td></tr>',
    '<tr><td style="color: red;">1</td><td style="color: blue;">2</td></tr>',
  ],
  [
    'what is not',
    'b:not(.a) { color: red }',
    '<b class=a>x</b><b>y</b>',
    '<b class=a>x</b><b style="color: red;">y</b>',
  ],
  ['names in capitals', 'P { COLOR: Red }', '<P>x</P>', '<P style="color: Red;">x</P>'],
])('writes rules into the tags: by %s', (_what, css, html, expected) => {
  expect(withCss(css, html)).toBe(expected);
});

it.each([
  ['the later one', 'p { color: red } p { color: blue }', '<p>x</p>', 'color: blue;'],
  ['a class before a name', '.a { color: red } p { color: blue }', '<p class=a>x</p>', 'color: red;'],
  [
    'an id before classes',
    '#a { color: red } .a.b.c { color: blue }',
    '<p id=a class="a b c">x</p>',
    'color: red;',
  ],
  [
    'what is important, and its mark goes',
    'p { color: red ! important } .a { color: blue }',
    '<p class=a style="color: green">x</p>',
    'color: red;',
  ],
  [
    'what a tag says itself, in its place',
    'p { margin-left: 1px; margin: 2px }',
    '<p style="margin-left:3px">x</p>',
    'margin: 2px; margin-left: 3px;',
  ],
])('wins: %s', (_what, css, html, style) => {
  expect(withCss(css, html)).toContain(`style="${style}"`);
});

it.each([
  '@media (max-width: 600px) { .a { width: 100% !important } }',
  '@font-face { font-family: x; src: url(https://example.com/x.woff;x) }',
  '@import url("https://example.com/x.css");',
  'a:hover { color: red }',
  'p::first-line { color: red }',
  'p:has(b) { color: red }',
  '.a { b { color: red } }',
  '?? { color: red }',
])('leaves in the style sheet what no tag can say: %s', (css) => {
  expect(withCss(`i { color: blue } ${css}`, '<p class=a>x</p><i>y</i>')).toBe(
    `<style>${css}</style><p class=a>x</p><i style="color: blue;">y</i>`,
  );
});

it('leaves alone what is no style of the whole email', () => {
  const html =
    '<style media="print">p { color: red }</style><style data-embed>p { color: red }</style><!--[if mso]><style>p { color: red }</style><![endif]--><p>x</p>';
  expect(inlined(html)).toBe(html);
});

it('changes nothing else in the text', () => {
  const html = `<!DOCTYPE html>\n<html><head><title>a &amp; b</title><style>.a{color:red}</style></head>
<body  bgcolor=#fff><![if !mso]><P CLASS='x'>&nbsp;&copy; <br>Ünï<img src="a&b"><td>{{x}}</P><![endif]></body></html>`;
  expect(inlined(html)).toBe(html.replace('<style>.a{color:red}</style>', ''));
});

it('keeps texts, brackets and marks of CSS apart', () => {
  const css =
    '/* p { } */ <!-- p { background: url(data:image/png;base64,a==); font-family: "A; {B}", \'C\' } --> b { content: "x" }';
  expect(withCss(css, '<p>x</p><b>y</b>')).toBe(
    '<p style="background: url(data:image/png;base64,a==); font-family: &quot;A; {B}&quot;, \'C\';">x</p><b style="content: \'x\';">y</b>',
  );
});

it('gives tables and pictures the attributes that Outlook reads', () => {
  const css =
    'td { width: 300px; background-color: #fff; text-align: center; vertical-align: top } img { width: 50% }';
  expect(withCss(css, '<td align=left>x</td><img>')).toBe(
    '<td style="width: 300px; background-color: #fff; text-align: center; vertical-align: top;" width="300" bgcolor="#fff" valign="top" align=left>x</td><img style="width: 50%;" width="50%">',
  );
});

it.each([
  ['a style without an end', '<p>x</p><style>p { color: red'],
  ['a block without an end', '<style>p { color: red</style>'],
  ['a tag without an end', '<style>p { color: red }</style><p '],
  ['brackets without an end', `<style>${'('.repeat(1000)}{}</style>`],
  ['a text without an end', `<style>p { content: "x</style>`],
  [
    'names of prototypes',
    '<style>.__proto__, #constructor { color: red }</style><p __proto__=x class=toString>y</p>',
  ],
])('ends with %s', (_what, html) => {
  expect(inlined(html)).toContain('');
});
