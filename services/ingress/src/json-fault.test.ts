import { notJson } from './json-fault.ts';

const usual = 'Error while parsing request body. Please check your syntax.';
const long = `["${'é'.repeat(100)}",\n ${'1,'.repeat(1000)} `;

it.each([
  ['a word without quotes', '{"a": a}', 'The JSON is wrong at line 1, column 7.'],
  ['a comma before the end', '{\n  "a": 1,\n}', 'The JSON is wrong at line 3, column 1.'],
  ['single quotes', "{'a': 1}", 'The JSON is wrong at line 1, column 2.'],
  ['a line break in a text', '{"a": "x\ny"}', 'The JSON is wrong at line 1, column 9.'],
  ['a missing comma', '[1,\r\n2 3]', 'The JSON is wrong at line 2, column 3.'],
  ['a word of another language', '{"a": True}', 'The JSON is wrong at line 1, column 7.'],
  ['a byte order mark', '\uFEFF{}', 'The JSON is wrong at line 1, column 1.'],
  ['a fault far inside', `${long}oops]`, `The JSON is wrong at line 2, column ${2002 + 1}.`],
  ['no end', '{"a": [1, 2', 'The JSON ends too early, at line 1, column 12.'],
  ['a text without an end', '{"a": "b', 'The JSON ends too early, at line 1, column 9.'],
  ['a form', 'a=1&b=2', 'The JSON is wrong at line 1, column 1.'],
  ['nothing', ' \n', 'The body is empty.'],
])('tells where %s is', (_what, text, where) => {
  expect(notJson(text)).toMatchObject({ code: 'BODY_NOT_JSON', message: `${usual} ${where}` });
});

it('says so when it is no text', () => {
  expect(notJson(undefined).message).toBe(`${usual} It is not valid UTF-8.`);
});

it('does not search in a long text', () => {
  expect(notJson(`[${'1,'.repeat(40_000)}oops]`).message).toBe(usual);
});
