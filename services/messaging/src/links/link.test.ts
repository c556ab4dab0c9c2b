import { createFormTokens } from './form-token.ts';
import { createLinks, type Link } from './link.ts';
import { createPageUrls } from './page-urls.ts';

const secret = 'a secret for tests only';
const now = 1_700_000_000_000;
const links = createLinks(secret, () => now);

const link: Link = { kind: 'page', ws: 'demo', center: 'c-1', person: 's-ada', expires: now / 1000 + 60 };

describe('a link', () => {
  it('is read as it was signed', () => {
    expect(links.read(links.sign(link))).toEqual({ is: 'good', link });
    const other: Link = { ...link, kind: 'unsubscribe', group: 'news' };
    expect(links.read(links.sign(other))).toEqual({ is: 'good', link: other });
  });

  it('is expired from its last second on', () => {
    const text = links.sign(link);
    expect(createLinks(secret, () => now + 59_999).read(text).is).toBe('good');
    expect(createLinks(secret, () => now + 60_000).read(text).is).toBe('expired');
  });

  it.each<[string, Partial<Link>]>([
    ['another person', { person: 's-bob' }],
    ['another center', { center: 'c-2' }],
    ['another workspace', { ws: 'other' }],
    ['a longer life', { expires: link.expires + 1 }],
    ['another kind', { kind: 'unsubscribe' }],
  ])('is wrong when its payload is changed to %s', (_what, change) => {
    const [payload] = links.sign({ ...link, ...change }).split('.');
    const [, signature] = links.sign(link).split('.');
    expect(links.read(`${payload}.${signature}`)).toEqual({ is: 'wrong' });
  });

  it('is wrong when any one of its letters is another', () => {
    const text = links.sign(link);
    for (let place = 0; place < text.length; place++) {
      const other = text[place] === 'A' ? 'B' : 'A';
      const changed = text.slice(0, place) + other + text.slice(place + 1);
      expect([place, links.read(changed).is]).toEqual([place, 'wrong']);
    }
  });

  const good = links.sign(link);

  it.each(['', '.', 'a.b', 'a.b.c', 'saved', 'x'.repeat(5000), `${good}.`, `${good}=`])(
    'is wrong as %p',
    (text) => {
      expect(links.read(text)).toEqual({ is: 'wrong' });
    },
  );

  it('of another installation is wrong', () => {
    expect(createLinks('another secret of tests', () => now).read(links.sign(link))).toEqual({ is: 'wrong' });
  });
});

describe('while the secret is rotated', () => {
  const until = new Date(now + 10_000);
  const secrets = { makes: 'another secret of tests', others: [{ secret, until }] };
  const linksAt = (at: number) => createLinks(secrets, () => at);

  it('a link in an old letter works until the date, and is expired after it', () => {
    const text = links.sign(link);
    expect(linksAt(now + 9_999).read(text)).toEqual({ is: 'good', link });
    expect(linksAt(now + 10_000).read(text)).toEqual({ is: 'expired' });
    expect(linksAt(now + 10_000).read(`${text.slice(0, -1)}_`)).toEqual({ is: 'wrong' });
    expect(linksAt(now + 10_000).read(linksAt(now).sign(link))).toEqual({ is: 'good', link });
  });

  it('an open form can be submitted until the date', () => {
    const token = createFormTokens(secret, () => now).make('of a link');
    const check = (at: number) => createFormTokens(secrets, () => at).check('of a link', token);
    expect([check(now + 9_999), check(now + 10_000)]).toEqual(['good', 'wrong']);
  });
});

it('the URL of a person leads to their page, for so many days', () => {
  const urls = createPageUrls({ links, base: 'https://prefs.example.com', days: 60, now: () => now });
  const recipient = { ws: 'demo', center: 'c-1', person: 's-ada' };
  const page = urls.page(recipient);
  expect(page).toMatch(/^https:\/\/prefs\.example\.com\/preferences\/[\w-]+\.[\w-]{43}$/);
  expect(links.read(page.slice(page.lastIndexOf('/') + 1))).toEqual({
    is: 'good',
    link: { kind: 'page', ...recipient, expires: now / 1000 + 60 * 86_400 },
  });
});
