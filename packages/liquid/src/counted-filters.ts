/** What filters cost: by the length of what they get, and some of them by more than that. */
import { type FilterImplOptions, filters as given, type Liquid } from 'liquidjs';
import { type CountedContext, countedIn } from './counted-context.ts';
import { withDigits, withDoubles } from './long-numbers.ts';
import { sizeOf } from './size-of.ts';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

/** Takes the steps of one use of a filter, before it is used. */
type Price = (context: CountedContext, value: unknown, args: readonly unknown[]) => void;

/** Characters that are compared with others in a step, and the same of a pattern against a text. */
const comparedPerStep = 1000;

/** A text may be compared with the pattern at each of its characters. */
export const takeSearch = (context: CountedContext, text: unknown, pattern: unknown): void => {
  const most = context.steps.left() * comparedPerStep;
  const [long, short] = [sizeOf(text, most), sizeOf(pattern, most)];
  context.steps.take('sizes', (Math.max(0, long - short) * short) / comparedPerStep);
};

/** They look at one element, whatever the length. */
const ofOne: Price = () => {};

const usual: Price = (context, value, args) => {
  context.takeSize(value, 'filtered');
  context.takeSize(args, 'filtered');
};

const searching: Price = (context, value, args) => {
  usual(context, value, args);
  takeSearch(context, value, args[0]);
};

/** It compares by chance, many times. */
const mixing: Price = (context, value) => context.takeSize(value, 'filtered', 8);

const lengthOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
};

/** The arguments are looked at for each element anew. */
const ofMembers =
  (stepsEach: number): Price =>
  (context, value, args) => {
    usual(context, value, args);
    const length = lengthOf(value);
    context.steps.take('sizes', length * stepsEach);
    context.takeSize(args, 'filtered', length);
  };

/** Names of months and days, the times of a country and its clock come from `Intl`, which takes many steps each time. */
const fromIntl = 150;
const perDate = 15;
const directiveOfIntl = /%[^%a-zA-Z]*[aAbBchxXZ]/g;

/** A text in a list is a format as well: it could be full of them. */
const directivesIn = (format: unknown): number =>
  typeof format === 'string' ? (format.match(directiveOfIntl)?.length ?? 0) : lengthOf(format) - 1;

const dating: Price = (context, value, args) => {
  usual(context, value, args);
  const [format, zone] = args;
  const size = sizeOf(format, context.steps.left() * comparedPerStep);
  // A directive without an end is looked for from each of its characters on.
  context.steps.take('sizes', size ** 2 / comparedPerStep);
  const slow = directivesIn(format) + (zone === undefined ? 0 : 2);
  context.steps.take('sizes', perDate + slow * fromIntl);
};

const datingInWords: Price = (context, value, args) => {
  usual(context, value, args);
  context.steps.take('sizes', perDate + 2 * fromIntl);
};

const groups: [price: Price, names: string][] = [
  [ofOne, 'size first last default raw'],
  [searching, 'split replace replace_first replace_last remove remove_first remove_last'],
  [mixing, 'sample'],
  [ofMembers(1), 'map sum'],
  [ofMembers(3), 'where reject group_by has find find_index'],
  [ofMembers(3), 'where_exp reject_exp group_by_exp has_exp find_exp find_index_exp'],
  [dating, 'date'],
  [datingInWords, 'date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string'],
];

const priceOf = new Map(groups.flatMap(([price, names]) => names.split(' ').map((name) => [name, price])));

const handlerOf = (filter: FilterImplOptions | undefined): Handler => {
  if (typeof filter === 'function') return filter;
  return filter ? filter.handler : (value: unknown) => value;
};

/** A filter that takes its steps before it does its work. */
const counted = (handler: Handler, price: Price): Handler =>
  function (value, ...args) {
    const context = countedIn(this.context);
    context.steps.take('filters', 1 + args.length);
    price(context, value, args);
    return handler.call(this, value, ...args);
  };

/** Elements are compared with each other, each about as often as the length has digits; by what they are sorted is known only inside. */
const sorting = (sort: Handler): Handler =>
  function* (list: unknown, member: unknown): Generator {
    const context = countedIn(this.context);
    const keys: unknown = member ? yield handlerOf(given.map).call(this, list, member) : list;
    context.takeSize(keys, 'filtered', 1 + Math.log2(1 + lengthOf(list)));
    return yield sort.call(this, list, member);
  };

/** Only what it has written tells how much there was to write. */
const writing = (json: Handler): Handler =>
  function (value, ...args) {
    const written: unknown = withDigits(json).call(this, value, ...args);
    countedIn(this.context).takeSize(written, 'filtered');
    return written;
  };

const calculating =
  'abs at_least at_most ceil divided_by floor minus modulo plus round times slice truncate truncatewords sample date';

const around: Record<string, (handler: Handler) => Handler> = {
  ...Object.fromEntries(calculating.split(' ').map((name) => [name, withDoubles])),
  sort: sorting,
  sort_natural: sorting,
  json: writing,
  jsonify: writing,
  inspect: writing,
};

export const countFilters = (library: Liquid): void => {
  for (const [name, filter] of Object.entries(library.filters)) {
    const handler = handlerOf(filter);
    library.registerFilter(name, counted(around[name]?.(handler) ?? handler, priceOf.get(name) ?? usual));
  }
};

/** What is done with every value that is written out; `how` long it takes depends on the form. */
export const countedEscape = (written: (value: unknown) => string, how: 'read' | 'filtered'): Handler =>
  function (value: unknown) {
    const context = countedIn(this.context);
    context.steps.take('filters', 1);
    context.takeSize(value, how);
    return written(value);
  };
