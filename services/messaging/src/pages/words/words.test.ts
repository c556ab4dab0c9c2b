import { chooseLanguage, languages } from './choose.ts';

describe('the language of a page', () => {
  it.each<[string | undefined, string | undefined, string]>([
    ['de', 'fr', 'de'],
    ['German', undefined, 'de'],
    ['ja', 'fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    [undefined, 'ja, en;q=0.1, es;q=0.5', 'es'],
    [undefined, 'fr;q=0, de', 'de'],
    [undefined, 'es;q=1.x, de;q=0.2', 'de'],
    [undefined, '*', 'en'],
    [undefined, undefined, 'en'],
    [undefined, `${'x,'.repeat(5000)}de`, 'en'],
  ])('of a person with %p and a browser with %p is %s', (ofPerson, accepted, code) => {
    expect(chooseLanguage(ofPerson, accepted).code).toBe(code);
  });
});

it.each([...languages])('%s has every text, and none of them is that of another language', (code, words) => {
  const english = languages.get('en');
  for (const [name, text] of Object.entries(words)) {
    const said = typeof text === 'function' ? text('a***@example.com') : text;
    expect([name, said.trim().length > 1]).toEqual([name, true]);
    if (code !== 'en' && !['texts', 'title'].includes(name))
      expect([name, text]).not.toEqual([name, english?.[name as keyof typeof english]]);
  }
  expect(words.intro('a***@example.com')).toContain('a***@example.com');
  for (const text of [words.unsubscribedNow, words.notSentNow]) expect(text).toContain(words.allEmails);
});
