/** Reads the elements of an HTML text and where they stand in it. The text itself stays as it is. */
import { Parser } from 'htmlparser2';
import { EmailFault, limits, prices, type Take } from './costs.ts';

/** From the first character to the one behind the last. */
export interface Span {
  start: number;
  end: number;
}

export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  parent: Element | null;
  children: Element[];
  /** With itself. */
  siblings: Element[];
  /** The opening tag; nothing where a closing tag alone stands for it. */
  open: Span | undefined;
  /** Its attribute `style`. */
  style: Span | undefined;
}

/** An element `<style>`. */
export interface StyleSheet {
  element: Element;
  whole: Span;
  css: string;
}

export interface HtmlTree {
  /** In the order of the text. */
  elements: Element[];
  sheets: StyleSheet[];
}

/** In the plain text their lines are indented: each level writes them anew. */
const indenting: ReadonlySet<string> = new Set(['blockquote', 'ol', 'ul']);

export const readHtml = (html: string, take: Take): HtmlTree => {
  const tree: HtmlTree = { elements: [], sheets: [] };
  const roots: Element[] = [];
  let current: Element | null = null;
  let style: Span | undefined;
  let [depth, indents] = [0, 0];

  const parser: Parser = new Parser({
    onattribute(name) {
      if (name === 'style') style ??= { start: parser.startIndex, end: parser.endIndex + 1 };
    },
    onopentag(name, attributes, isImplied) {
      const open = isImplied ? undefined : { start: parser.startIndex, end: parser.endIndex + 1 };
      const siblings = current?.children ?? roots;
      const element: Element = { name, attributes, parent: current, children: [], siblings, open, style };
      siblings.push(element);
      tree.elements.push(element);
      [current, style] = [element, undefined];
      depth += 1;
      if (indenting.has(name)) indents += 1;
      take((name === 'hr' ? prices.rule : prices.element) * (1 + indents));
      if (depth > limits.depth) throw new EmailFault(`the HTML has tags more than ${limits.depth} deep`);
    },
    ontext(text) {
      take(text.length * prices.character * (1 + indents));
    },
    onclosetag(name, isImplied) {
      const element = current;
      if (!element) return;
      [current, style] = [element.parent, undefined];
      depth -= 1;
      if (indenting.has(name)) indents -= 1;
      if (name !== 'style' || !element.open) return;
      const { start, end } = element.open;
      const [cssEnd, wholeEnd] = isImplied
        ? [html.length, html.length]
        : [parser.startIndex, parser.endIndex + 1];
      tree.sheets.push({ element, whole: { start, end: wholeEnd }, css: html.slice(end, cssEnd) });
    },
  });
  take(html.length * prices.character);
  parser.end(html);
  return tree;
};
