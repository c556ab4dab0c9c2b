/** Finds the rules of an element by its id, classes and name, and then by its place. Each look at an element is counted. */
import { compile, type Options } from 'css-select';
import { isTraversal, parse, type Selector } from 'css-what';
import { prices, type Take } from './costs.ts';
import type { CssRule, Declaration } from './css-rules.ts';
import type { Element } from './html-tree.ts';

/** A rule under one of its selectors. */
export interface SelectorRule {
  declarations: readonly Declaration[];
  specificity: number;
  order: number;
  /** The id, class or name that an element must have to be looked at. */
  key: string;
  matches(element: Element): boolean;
}

/** What an email shows does not depend on them. All others, such as `:hover`, stay in the style sheet. */
const places = new Set([
  ...['first-child', 'last-child', 'nth-child', 'nth-last-child', 'only-child', 'is', 'not'],
  ...['first-of-type', 'last-of-type', 'nth-of-type', 'nth-last-of-type', 'only-of-type'],
]);

const partsOf = (token: Selector): Selector[][] =>
  token.type === 'pseudo' && Array.isArray(token.data) ? token.data : [];

const isFixed = (token: Selector): boolean =>
  token.type !== 'pseudo-element' &&
  (token.type !== 'pseudo' || places.has(token.name)) &&
  partsOf(token).every((one) => one.every(isFixed));

const weights: Partial<Record<Selector['type'], number>> = { tag: 1, attribute: 1_000, pseudo: 1_000 };

const specificityOf = (tokens: readonly Selector[]): number =>
  tokens.reduce((sum, token) => {
    const parts = partsOf(token);
    if (parts.length > 0) return sum + Math.max(...parts.map(specificityOf));
    const isId = token.type === 'attribute' && token.name === 'id' && token.action === 'equals';
    return sum + (isId ? 1_000_000 : (weights[token.type] ?? 0));
  }, 0);

const keysOf = (token: Selector): string[] => {
  if (token.type === 'tag') return [token.name.toLowerCase()];
  if (token.type !== 'attribute') return [];
  if (token.name === 'id' && token.action === 'equals') return [`#${token.value}`];
  return token.name === 'class' && token.action === 'element' ? [`.${token.value}`] : [];
};

const anything = '*';

/** The rarest name that the element itself must have. */
const keyOf = (tokens: readonly Selector[]): string => {
  const own = tokens.slice(tokens.findLastIndex(isTraversal) + 1).flatMap(keysOf);
  return (
    own.find((key) => key.startsWith('#')) ?? own.find((key) => key.startsWith('.')) ?? own[0] ?? anything
  );
};

const attributeOf = ({ attributes }: Element, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

export const keysOfElement = (element: Element): string[] => {
  const [id, classes] = [attributeOf(element, 'id'), attributeOf(element, 'class')];
  const own = new Set((classes ?? '').split(/\s+/).map((name) => `.${name}`));
  return [...(id === undefined ? [] : [`#${id}`]), ...own, element.name, anything];
};

/** How css-select sees an element. */
const adapterFor = (take: Take): NonNullable<Options<Element, Element>['adapter']> => {
  const none = () => {
    throw new Error('no selector of places needs it');
  };
  return {
    isTag: (_element): _element is Element => true,
    getName: ({ name }) => name,
    getChildren: ({ children }) => children,
    getParent({ parent }) {
      take(prices.look);
      return parent;
    },
    getSiblings({ siblings }) {
      take(prices.look + siblings.length * prices.neighbour);
      return siblings;
    },
    getAttributeValue(element, name) {
      const value = attributeOf(element, name);
      take(prices.look + (value?.length ?? 0) * prices.valueCharacter);
      return value;
    },
    hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
    removeSubsets: (elements) => elements,
    existsOne: none,
    findAll: none,
    findOne: none,
    getText: none,
  };
};

/** `undefined`: the rule stays in the style sheet. */
const tokensIn = (selector: string): Selector[][] | undefined => {
  try {
    const all = parse(selector);
    return all.every((tokens) => tokens.every(isFixed)) ? all : undefined;
  } catch {
    return undefined;
  }
};

export const entriesOf = (
  { selector, declarations }: Pick<CssRule, 'selector' | 'declarations'>,
  order: number,
  take: Take,
): SelectorRule[] | undefined => {
  const adapter = adapterFor(take);
  return tokensIn(selector)?.map((tokens) => ({
    declarations,
    order,
    specificity: specificityOf(tokens),
    key: keyOf(tokens),
    matches: compile([tokens], { adapter }),
  }));
};
