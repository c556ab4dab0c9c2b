import fc from 'fast-check';
import { type Head, headTagsIn, withHead } from './head.ts';

const head: Head = { title: 'Own', language: 'de', links: [] };
const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const all = `<meta charset="utf-8">${viewport}<meta name="robots" content="noindex, nofollow"><title>Own</title>`;

describe('the head of a page', () => {
  it('is put around a part of a page', () => {
    expect(withHead('<p>x</p>', head)).toBe(
      `<!doctype html><html lang="de"><head>${all}</head><body><p>x</p></body></html>`,
    );
  });

  it('is put into the head that is there, else into the document', () => {
    expect(withHead('<HTML><head id="a"><b></head>', head)).toBe(`<HTML><head id="a">${all}<b></head>`);
    expect(withHead('<html lang="en"><body>', head)).toBe(`<html lang="en"><head>${all}</head><body>`);
  });

  it('has nothing twice', () => {
    const own = '<meta charset=latin1><META content="x" name = viewport><title>Mine</title>';
    expect(withHead(`<head>${own}`, head)).toBe(
      `<head><meta name="robots" content="noindex, nofollow">${own}`,
    );
    expect(withHead(`<head>${own}`, { ...head, viewport: 'width=600' })).toContain('width=600');
  });

  it('is not put into what only looks like it', () => {
    expect(withHead('<header><html5><heads><metas charset>', head)).toMatch(/^<!doctype html>/);
    expect(withHead('<head', head)).toContain('<body><head</body>');
  });
});

describe('tags of a head', () => {
  /** As a pattern finds them; quadratic, and right where no tag has a `<` inside. */
  const byPattern = (html: string) =>
    [...html.matchAll(/<(html|head|meta|title)((?:\s[^<>]*)?)>/gi)].map(
      ({ 0: whole, 1: name = '', 2: text, index }) => ({
        name: name.toLowerCase(),
        text,
        end: index + whole.length,
      }),
    );
  const tag = fc
    .tuple(
      fc.constantFrom('html', 'HEAD', 'meta', 'title', 'header', 'p', '/head', ''),
      fc.constantFrom('', ' ', '\ncharset', ' name="viewport"', '\tlang=de'),
    )
    .map(([name, text]) => `<${name}${text}>`);
  const pieces = fc.array(fc.oneof(tag, fc.constantFrom('text', '>', ' ', 'meta ')));

  it('are found as a pattern finds them', () => {
    fc.assert(
      fc.property(pieces, (written) => {
        const html = written.join('');
        expect([...headTagsIn(html)]).toEqual(byPattern(html));
      }),
      { seed: 38, numRuns: 500 },
    );
  });

  /** How many letters are looked at to find the next sign. */
  const lettersLookedAt = (html: string): number => {
    let letters = 0;
    const { indexOf } = String.prototype;
    const spy = jest.spyOn(String.prototype, 'indexOf').mockImplementation(function (
      this: string,
      sign: string,
      from = 0,
    ) {
      const found = indexOf.call(this, sign, from);
      letters += (found < 0 ? this.length : found + 1) - from;
      return found;
    });
    for (const { text } of headTagsIn(html)) letters += text.length;
    spy.mockRestore();
    return letters;
  };

  it.each([
    '<meta ',
    '<head ',
    '<html ',
    '<title ',
    '<title',
    '<',
    '<meta name ',
    '<meta <head>',
    '<meta name = >',
    '>',
  ])('in a megabyte of %p are found in work that grows with its size', (piece) => {
    const html = (bytes: number) => piece.repeat(bytes / piece.length);
    const megabyte = 1024 * 1024;
    for (const bytes of [megabyte / 16, megabyte / 8])
      expect(lettersLookedAt(html(bytes))).toBeLessThanOrEqual(4 * bytes);
    expect(withHead(html(megabyte), head).length).toBeGreaterThan(megabyte / 2);
  });
});
