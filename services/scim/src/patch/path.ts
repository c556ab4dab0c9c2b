/** The path of a PATCH operation: `emails[type eq "work"].value` is two steps, the first with a filter. RFC 7644 3.5.2. */
import type { Filter } from 'scim2-parse-filter';
import { type Attribute, findAttribute } from '../attributes/attribute.ts';
import { withoutSchema } from '../attributes/names.ts';
import { compileFilter, type Test } from '../filter/compile-filter.ts';
import { comparisonsIn, parseFilter } from '../filter/parse-filter.ts';
import { badPath } from '../refusals.ts';

export interface PathStep {
  attribute: Attribute;
  filter?: Filter;
  test?: Test;
  /** How many comparisons the filter makes of each element. */
  comparisons?: number;
}
export type PatchPath = [PathStep, ...PathStep[]];

const name = /^\$?[A-Za-z][\w-]*/;

/** Where the filter that begins here ends: at the bracket that closes it, not at one inside a text. */
const filterEnd = (text: string): number => {
  let isQuoted = false;
  for (let place = 1; place < text.length; place += 1) {
    if (isQuoted && text[place] === '\\') place += 1;
    else if (text[place] === '"') isQuoted = !isQuoted;
    else if (text[place] === ']' && !isQuoted) return place;
  }
  throw badPath(`'${text}' has no end`);
};

const withFilter = (attribute: Attribute, text: string): PathStep => {
  if (!attribute.many || !attribute.sub) throw badPath(`'${attribute.name}' is no list of objects to filter`);
  const filter = parseFilter(text);
  const test = compileFilter(attribute.sub, filter);
  return { attribute, filter, test, comparisons: comparisonsIn(filter) };
};

const refuse = (path: string): never => {
  throw badPath(`'${path}' is not an attribute of users`);
};

export const parsePath = (attributes: readonly Attribute[], path: string): PatchPath => {
  const steps: PathStep[] = [];
  let level: readonly Attribute[] = attributes;
  for (let rest = withoutSchema(path.trim()); ; ) {
    const [part = ''] = name.exec(rest) ?? [];
    const attribute = findAttribute(level, part) ?? refuse(path);
    rest = rest.slice(part.length);
    const end = rest.startsWith('[') ? filterEnd(rest) : 0;
    steps.push(end > 0 ? withFilter(attribute, rest.slice(1, end)) : { attribute });
    rest = end > 0 ? rest.slice(end + 1) : rest;
    if (rest === '') break;
    if (!rest.startsWith('.')) refuse(path);
    rest = rest.slice(1);
    level = attribute.sub ?? [];
  }
  const [first, ...more] = steps;
  return first ? [first, ...more] : refuse(path);
};
