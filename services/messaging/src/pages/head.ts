/** What a preference center says about its head, put into the HTML that it stored, whether that is a whole document or a part of one. */
import { escapeHtml } from './escape.ts';

interface HeadLink {
  rel: string;
  type?: string;
  sizes?: string;
  color?: string;
  href: string;
}

export interface Head {
  title: string;
  language: string;
  /** `content` of the meta tag. */
  viewport?: string;
  links: readonly HeadLink[];
}

const usualViewport = 'width=device-width, initial-scale=1';

const linkTag = (link: HeadLink): string => {
  const { rel, type, sizes, color, href } = link;
  const members = Object.entries({ rel, type, sizes, color, href });
  const written = members.flatMap(([name, value]) =>
    value === undefined ? [] : ` ${name}="${escapeHtml(value)}"`,
  );
  return `<link${written.join('')}>`;
};

const tagsOf = ({ title, viewport, links }: Head, html: string): string => {
  const hasTitle = /<title[\s>]/i.test(html);
  const hasViewport = viewport === undefined && /<meta\s[^>]*name\s*=\s*["']?viewport/i.test(html);
  return [
    /<meta\s[^>]*charset/i.test(html) ? '' : '<meta charset="utf-8">',
    hasViewport ? '' : `<meta name="viewport" content="${escapeHtml(viewport ?? usualViewport)}">`,
    '<meta name="robots" content="noindex, nofollow">',
    hasTitle ? '' : `<title>${escapeHtml(title)}</title>`,
    ...links.map(linkTag),
  ].join('');
};

const insertAt = (html: string, place: number, text: string): string =>
  html.slice(0, place) + text + html.slice(place);

const endOf = (html: string, tag: RegExp): number | undefined => {
  const found = tag.exec(html);
  return found ? found.index + found[0].length : undefined;
};

export const withHead = (html: string, head: Head): string => {
  const tags = tagsOf(head, html);
  const inHead = endOf(html, /<head(?:\s[^>]*)?>/i);
  if (inHead !== undefined) return insertAt(html, inHead, tags);
  const inHtml = endOf(html, /<html(?:\s[^>]*)?>/i);
  if (inHtml !== undefined) return insertAt(html, inHtml, `<head>${tags}</head>`);
  return `<!doctype html><html lang="${escapeHtml(head.language)}"><head>${tags}</head><body>${html}</body></html>`;
};
