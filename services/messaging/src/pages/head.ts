/** What a preference center says about its head, put into the HTML that it stored, whether that is a whole document or a part of one. */
import { present } from '@roster/contract';
import { escapeHtml } from '@roster/runtime';
import type { PreferenceCenterDocument } from '@roster/store';

interface HeadTag {
  name: 'html' | 'head' | 'meta' | 'title';
  /** What stands between its name and its `>`. */
  text: string;
  /** The place after its `>`. */
  end: number;
}

const names: ReadonlySet<string> = new Set(['html', 'head', 'meta', 'title'] satisfies HeadTag['name'][]);
const isName = (name: string): name is HeadTag['name'] => names.has(name);

const longestName = 5;

/** The name of a tag that begins here, without its `<`. */
const nameAt = (html: string, place: number): string =>
  /^([a-z]+)[\s>]/i.exec(html.slice(place, place + longestName + 1))?.[1]?.toLowerCase() ?? '';

/** The tags of a head, in one way forward: each letter is looked at a few times, whatever stands there. A tag without its `>` is none, nor is anything inside a tag that was found. */
export function* headTagsIn(html: string): Generator<HeadTag> {
  let place = html.indexOf('<');
  while (place >= 0) {
    const name = nameAt(html, place + 1);
    if (isName(name)) {
      const close = html.indexOf('>', place);
      if (close < 0) return;
      yield { name, text: html.slice(place + 1 + name.length, close), end: close + 1 };
      place = close;
    }
    place = html.indexOf('<', place + 1);
  }
}

export interface Head extends Pick<PreferenceCenterDocument['options'], 'viewport' | 'links'> {
  title: string;
  language: string;
}

const usualViewport = 'width=device-width, initial-scale=1';

const linkTag = ({ rel, type, sizes, color, href }: Head['links'][number]): string => {
  const members = Object.entries(present({ rel, type, sizes, color, href }));
  const written = members.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  return `<link${written.join('')}>`;
};

/** What the HTML of a preference center has already, and where its `<head>` and `<html>` end. */
interface Present {
  head?: number;
  html?: number;
  hasTitle: boolean;
  hasCharset: boolean;
  hasViewport: boolean;
}

const presentIn = (html: string): Present => {
  const present: Present = { hasTitle: false, hasCharset: false, hasViewport: false };
  for (const { name, text, end } of headTagsIn(html)) {
    if (name === 'title') present.hasTitle = true;
    else if (name === 'meta') {
      present.hasCharset ||= /charset/i.test(text);
      present.hasViewport ||= /name\s*=\s*["']?viewport/i.test(text);
    } else present[name] ??= end;
  }
  return present;
};

const tagsOf = ({ title, viewport, links }: Head, { hasTitle, hasCharset, hasViewport }: Present): string =>
  [
    hasCharset ? '' : '<meta charset="utf-8">',
    viewport === undefined && hasViewport
      ? ''
      : `<meta name="viewport" content="${escapeHtml(viewport ?? usualViewport)}">`,
    '<meta name="robots" content="noindex, nofollow">',
    hasTitle ? '' : `<title>${escapeHtml(title)}</title>`,
    ...links.map(linkTag),
  ].join('');

const insertAt = (html: string, place: number, text: string): string =>
  html.slice(0, place) + text + html.slice(place);

export const withHead = (html: string, head: Head): string => {
  const present = presentIn(html);
  const tags = tagsOf(head, present);
  if (present.head !== undefined) return insertAt(html, present.head, tags);
  if (present.html !== undefined) return insertAt(html, present.html, `<head>${tags}</head>`);
  return `<!doctype html><html lang="${escapeHtml(head.language)}"><head>${tags}</head><body>${html}</body></html>`;
};
