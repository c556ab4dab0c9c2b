/** Takes a style sheet apart into rules and what is no simple rule, such as `@media`. What is not CSS is passed over, as browsers do. */

export interface Declaration {
  name: string;
  value: string;
  isImportant: boolean;
}

export interface CssRule {
  selector: string;
  declarations: readonly Declaration[];
  /** As it was. */
  text: string;
}

/** What is no simple rule, as a text. */
export type CssPart = CssRule | string;

/** One without an end goes to the end of all. */
const comment = /\/\*.*?(?:\*\/|$)/gs;

/** Behind the text in quotation marks that begins here. */
const behindText = (css: string, start: number): number => {
  for (let at = start + 1; at < css.length; at++) {
    if (css[at] === '\\') at += 1;
    else if (css[at] === css[start] || css[at] === '\n') return at + 1;
  }
  return css.length;
};

/** Where one of these signs stands first, outside of texts and brackets; else the end. */
const find = (css: string, start: number, signs: string): number => {
  let depth = 0;
  for (let at = start; at < css.length; at++) {
    const sign = css[at] ?? '';
    if (depth === 0 && signs.includes(sign)) return at;
    if (sign === '\\') at += 1;
    else if (sign === '"' || sign === "'") at = behindText(css, at) - 1;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth = Math.max(0, depth - 1);
  }
  return css.length;
};

/** Behind the block whose `{` stands here, with the blocks inside it. */
const behindBlock = (css: string, start: number): number => {
  let depth = 0;
  for (let at = find(css, start, '{}'); at < css.length; at = find(css, at + 1, '{}')) {
    depth += css[at] === '{' ? 1 : -1;
    if (depth === 0) return at + 1;
  }
  return css.length;
};

const important = / ?! ?important$/i;

export const declarationsIn = (block: string): Declaration[] => {
  const all: Declaration[] = [];
  for (let at = 0; at < block.length; ) {
    const end = find(block, at, ';');
    const text = block.slice(at, end);
    at = end + 1;
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = text
      .slice(colon + 1)
      .replace(/\s+/g, ' ')
      .trim();
    const bare = value.replace(important, '');
    if (name !== '' && bare !== '') all.push({ name, value: bare, isImportant: bare !== value });
  }
  return all;
};

/** In their order. */
export const partsIn = (css: string): CssPart[] => {
  const text = css.replaceAll(comment, '').replaceAll('<!--', '').replaceAll('-->', '');
  const parts: CssPart[] = [];
  for (let at = 0; at < text.length; ) {
    const open = find(text, at, '{;');
    const end = text[open] === '{' ? behindBlock(text, open) : Math.min(open + 1, text.length);
    const whole = text.slice(at, end).trim();
    const [selector, block] = [text.slice(at, open).trim(), text.slice(open + 1, end - 1)];
    at = end;
    const [isBlock, isAt] = [text[open] === '{', selector.startsWith('@')];
    const isFlat = isBlock && !isAt && find(block, 0, '{') === block.length;
    if (isFlat) parts.push({ selector, declarations: declarationsIn(block), text: whole });
    else if (isBlock || isAt) parts.push(whole);
  }
  return parts;
};
