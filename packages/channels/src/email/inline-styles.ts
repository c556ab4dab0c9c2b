/** Writes the rules of style sheets into the tags of an HTML text, for mail programs that read no style sheets. The rest of the text stays as it is. */
import { EmailFault, limits, prices, type Take } from './costs.ts';
import { type Declaration, declarationsIn, partsIn } from './css-rules.ts';
import type { Element, HtmlTree, Span, StyleSheet } from './html-tree.ts';
import { entriesOf, keysOfElement, type SelectorRule } from './selectors.ts';

export interface Edit extends Span {
  text: string;
}

const unseen = new Set('base head link meta noscript script style title'.split(' '));

const media: ReadonlySet<string> = new Set(['', 'all', 'screen']);

const isInlined = ({ element: { attributes } }: StyleSheet): boolean =>
  media.has((attributes.media ?? '').trim().toLowerCase()) && attributes['data-embed'] === undefined;

interface Rules {
  /** By their key. */
  entries: ReadonlyMap<string, readonly SelectorRule[]>;
  edits: readonly Edit[];
}

/** Rules that are written into the tags leave their sheet; a sheet in which nothing is left goes. */
const readRules = ({ sheets }: HtmlTree, html: string, take: Take): Rules => {
  const entries = new Map<string, SelectorRule[]>();
  let order = 0;
  const edits = sheets.filter(isInlined).map(({ element, whole, css }): Edit => {
    take(css.length * prices.cssCharacter);
    const rest = partsIn(css).flatMap((part) => {
      if (typeof part === 'string') return [part];
      const own = entriesOf(part, order++, take);
      for (const entry of own ?? []) {
        const others = entries.get(entry.key);
        if (others) others.push(entry);
        else entries.set(entry.key, [entry]);
      }
      return own ? [] : [part.text];
    });
    const open = html.slice(whole.start, element.open?.end);
    return { ...whole, text: rest.length === 0 ? '' : `${open}${rest.join('\n')}</style>` };
  });
  return { entries, edits };
};

type Style = Map<string, Declaration>;

/** What comes later wins, and stands later: `margin-left` behind `margin`. */
const apply = (style: Style, declarations: readonly Declaration[], take: Take): void => {
  for (const one of declarations) {
    take(prices.declaration + one.value.length * prices.valueCharacter);
    if (style.get(one.name)?.isImportant && !one.isImportant) continue;
    style.delete(one.name);
    style.set(one.name, one);
  }
};

const styleOf = (element: Element, { entries }: Rules, take: Take): Style | undefined => {
  const found: SelectorRule[] = [];
  for (const key of keysOfElement(element)) {
    take(prices.look);
    for (const entry of entries.get(key) ?? []) {
      take(prices.look);
      if (entry.matches(element)) found.push(entry);
    }
  }
  if (found.length === 0) return undefined;
  const style: Style = new Map();
  for (const { declarations } of found.toSorted(
    (one, other) => one.specificity - other.specificity || one.order - other.order,
  ))
    apply(style, declarations, take);
  apply(style, declarationsIn(element.attributes.style ?? ''), take);
  return style;
};

const quoted = (text: string): string =>
  `"${text.replaceAll('&', '&amp;').replaceAll('"', text.includes("'") ? '&quot;' : "'")}"`;

const cells: ReadonlySet<string> = new Set(['img', 'table', 'td', 'th']);
const tables = new Set('caption col colgroup table tbody td tfoot th thead tr'.split(' '));

/** Outlook reads these attributes, and not the styles. */
const attributesOf: readonly (readonly [attribute: string, style: string, ReadonlySet<string>, RegExp])[] = [
  ['width', 'width', cells, /^(\d+)(?:px)?$|^(\d+%)$/],
  ['height', 'height', cells, /^(\d+)(?:px)?$|^(\d+%)$/],
  ['bgcolor', 'background-color', tables, /^(.+)$/],
  ['align', 'text-align', tables, /^(.+)$/],
  ['valign', 'vertical-align', tables, /^(.+)$/],
];

const attributesFor = ({ name, attributes }: Element, style: Style): string[] =>
  attributesOf.flatMap(([attribute, from, names, form]) => {
    if (!names.has(name) || attributes[attribute] !== undefined) return [];
    const [, plain, percent] = form.exec(style.get(from)?.value ?? '') ?? [];
    const value = plain ?? percent;
    return value === undefined ? [] : [`${attribute}=${quoted(value)}`];
  });

const behindName = (html: string, { start }: Span): number => {
  const name = /[^\s/>]+/y;
  name.lastIndex = start + 1;
  name.test(html);
  return name.lastIndex;
};

const editsOf = (element: Element, style: Style, html: string): Edit[] => {
  if (!element.open) return [];
  const text = [...style.values()].map(({ name, value }) => `${name}: ${value};`).join(' ');
  const at = behindName(html, element.open);
  const more = attributesFor(element, style).map((attribute) => ` ${attribute}`);
  const own = `style=${quoted(text)}`;
  if (!element.style) return [{ start: at, end: at, text: [` ${own}`, ...more].join('') }];
  return [
    { start: at, end: at, text: more.join('') },
    { ...element.style, text: own },
  ];
};

export const inlineStyles = (tree: HtmlTree, html: string, take: Take): Edit[] => {
  const rules = readRules(tree, html, take);
  const edits = [...rules.edits];
  let added = 0;
  for (const element of tree.elements) {
    const style = unseen.has(element.name) ? undefined : styleOf(element, rules, take);
    for (const edit of style ? editsOf(element, style, html) : []) {
      edits.push(edit);
      added += edit.text.length;
    }
    if (added > limits.output) throw new EmailFault(`the HTML has more than ${limits.output} characters`);
  }
  return edits;
};

/** Edits do not overlap. */
export const withEdits = (html: string, edits: readonly Edit[]): string => {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    pieces.push(html.slice(at, start), text);
    at = end;
  }
  pieces.push(html.slice(at));
  return pieces.join('');
};
