/** Bounds how deep a template is nested, before anything follows the nesting with its stack. */
import { partsOf } from './dollar-names.ts';
import { LiquidFault } from './fault.ts';
import { limits } from './limits.ts';

const tagName = /^\{%-?\s*(end)?(\w+)/;
const withEnd = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture']);

/** 1 where a tag begins something that ends later, -1 where it ends something. */
const stepOf = (text: string): number => {
  const [, end, name = ''] = tagName.exec(text) ?? [];
  if (!withEnd.has(name)) return 0;
  return end ? -1 : 1;
};

/** Brackets in texts count as well: no real template has so many. */
const bracketsIn = (text: string): number => {
  let [open, most] = [0, 0];
  for (const sign of text) {
    if (sign === '[' || sign === '(') most = Math.max(most, ++open);
    else if (sign === ']' || sign === ')') open -= 1;
  }
  return most;
};

export const assertFlat = (source: string): void => {
  let depth = 0;
  for (const { text } of partsOf(source)) {
    depth = Math.max(0, depth + stepOf(text));
    if (depth > limits.tagDepth || bracketsIn(text) > limits.tagDepth)
      throw new LiquidFault({
        kind: 'cost',
        reason: `tags or brackets stand more than ${limits.tagDepth} deep`,
      });
  }
};
