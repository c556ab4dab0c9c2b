import { nextPage, signInFor } from './next-page.ts';

describe('the page after the sign-in', () => {
  it.each([
    '/board',
    '/board/queue/track-0?status=failed',
    '/outbox',
    '/outbox/message?id=d%2Femail%2Fp1',
    '/outbox?workspace=//evil.test',
  ])('is a page of the board: %s', (page) => expect(nextPage(page)).toBe(page));

  it.each([
    ['another host', 'https://evil.test/board'],
    ['another host without a scheme', '//evil.test/board'],
    ['a backslash for a slash', '/\\evil.test/board'],
    ['backslashes alone', '\\\\evil.test'],
    ['encoded slashes', '/%2F%2Fevil.test'],
    ['an encoded backslash', '/%5Cevil.test'],
    ['a way up', '/board/..//evil.test'],
    ['an encoded way up', '/board/%2e%2e//evil.test'],
    ['a way up by backslashes', '/board\\..\\\\evil.test'],
    ['a tab that browsers leave out', '/\t/evil.test'],
    ['a line break', '/\n/evil.test'],
    ['a script', 'javascript:alert(1)'],
    ['a name that only begins like a page', '/boardroom'],
    ['a name and password', '/@evil.test'],
    ['the sign-out', '/board/../sign-out'],
    ['an invitation', '/invite/abc'],
    ['what is too long', `/board?${'x'.repeat(2000)}`],
    ['nothing', undefined],
    ['several', ['/board', '/outbox']],
  ])('is the start page for %s', (_what, page) => expect(nextPage(page)).toBe('/'));

  it('stays on one line of a header', () => {
    expect(nextPage('/board?a=\r\nSet-Cookie: x=1')).toBe('/board?a=Set-Cookie:%20x=1');
  });

  it('stands in the address of the sign-in, unless it is the start page', () => {
    const originalUrl = '/outbox?page=1';
    expect(signInFor({ originalUrl })).toBe('/sign-in?next=%2Foutbox%3Fpage%3D1');
    expect(signInFor({ originalUrl: '/' })).toBe('/sign-in');
    expect(signInFor({ originalUrl: '//evil.test' })).toBe('/sign-in');
  });
});
