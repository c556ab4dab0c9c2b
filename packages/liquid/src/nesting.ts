/** Bounds how deep a template is nested, before anything follows the nesting with its stack. */
import { type TopLevelToken, TypeGuards } from 'liquidjs';
import { LiquidFault } from './fault.ts';
import { limits } from './limits.ts';

const withEnd = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture']);

/** 1 where a tag begins something that ends later, -1 where it ends something. */
const stepOf = (name: string): number => {
  if (withEnd.has(name)) return 1;
  return name.startsWith('end') && withEnd.has(name.slice('end'.length)) ? -1 : 0;
};

/** Brackets in texts count as well: nobody has so many. */
const bracketsIn = (text: string): number => {
  let [open, most] = [0, 0];
  for (const sign of text) {
    if (sign === '[' || sign === '(') most = Math.max(most, ++open);
    else if (sign === ']' || sign === ')') open -= 1;
  }
  return most;
};

/** Is told each token in turn, exactly as liquidjs sees them: what it took for a text could hide any number of tags. */
export const createNesting = (): ((token: TopLevelToken) => void) => {
  let [depth, isComment] = [0, false];
  return (token) => {
    const name = TypeGuards.isTagToken(token) ? token.name : '';
    if (isComment) {
      isComment = name !== 'endcomment';
      return;
    }
    isComment = name === 'comment';
    depth = Math.max(0, depth + stepOf(name));
    if (depth > limits.tagDepth || bracketsIn(token.getText()) > limits.tagDepth)
      throw new LiquidFault({
        kind: 'cost',
        reason: `tags or brackets stand more than ${limits.tagDepth} deep`,
      });
  };
};
