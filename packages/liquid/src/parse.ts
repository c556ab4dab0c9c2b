/** Reads a source into the nodes of liquidjs, and tells what that costs. */
import { type Liquid, type Template as Parsed, Parser, Token, Tokenizer, TypeGuards } from 'liquidjs';
import { withUsualNames } from './dollar-names.ts';
import { LiquidFault } from './fault.ts';
import { limits } from './limits.ts';
import { createNesting } from './nesting.ts';
import type { Steps } from './steps.ts';

/**
 * Each tag and output, and each of so many characters: text between them is read many times faster. A part takes about 4 us and a kilobyte of
 * the heap of the thread, so that the steps are used up before the memory is.
 */
const perPart = 15;
const charactersPerStep = { liquid: 4, text: 32 };

const assertShort = ({ length }: string): void => {
  if (length <= limits.source) return;
  throw new LiquidFault({ kind: 'cost', reason: `it is longer than ${limits.source} characters` });
};

/** The source with usual names. Stops where the parts alone are too many. */
const translated = (source: string, steps: Steps): string => {
  if (!source.includes('${')) return source;
  let price = 0;
  return withUsualNames(source, () => {
    price += perPart;
    if (price > steps.left()) steps.take('parts', price);
  });
};

/** Each token is seen, priced and forgotten: there may be many more than can be kept. */
const priceOf = (library: Liquid, source: string, most: number): number => {
  const { options } = library;
  const tokenizer = new Tokenizer(source, options.operators);
  const nest = createNesting();
  let price = source.length / charactersPerStep.text;
  while (tokenizer.p < tokenizer.N && price <= most) {
    const token = tokenizer.readTopLevelToken(options);
    if (TypeGuards.isHTMLToken(token)) continue;
    nest(token);
    price += perPart + token.size() / charactersPerStep.liquid;
  }
  return Math.ceil(price);
};

const lineStartsOf = (source: string): number[] => {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

/** The index of the last one that is not greater. */
const lastUpTo = (sorted: readonly number[], most: number): number => {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** liquidjs walks from the beginning of the source to every name that it finds: for ten thousand names that took more than a second. */
const findPlacesFast = (): void => {
  let [last, starts] = ['', [0]];
  Token.prototype.getPosition = function () {
    if (last !== this.input) [last, starts] = [this.input, lineStartsOf(this.input)];
    const line = lastUpTo(starts, this.begin);
    return [line + 1, this.begin - (starts[line] ?? 0) + 1];
  };
};
findPlacesFast();

/** As `library.parse`, which moves all tokens by one place for each that it takes from the front. */
const nodesOf = (library: Liquid, source: string): Parsed[] => {
  const { options } = library;
  const tokens = new Tokenizer(source, options.operators).readTopLevelTokens(options);
  tokens.reverse();
  tokens.shift = () => tokens.pop();
  return new Parser(library).parseTokens(tokens);
};

export interface ParsedSource {
  nodes: Parsed[];
  /** In steps. It depends on the source alone. */
  price: number;
}

/** Takes the price, so often, before anything is made of the source. */
export const parse = (library: Liquid, source: string, steps: Steps, times = 1): ParsedSource => {
  assertShort(source);
  const usual = translated(source, steps);
  const price = times * priceOf(library, usual, steps.left());
  steps.take('parts', price);
  return { nodes: nodesOf(library, usual), price };
};
