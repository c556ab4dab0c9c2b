/** How soon a password is guessed, by zxcvbn with its lists of common ones. Both are CommonJS: a bundle gives their names to a static import only. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** What makes a password hard to guess stands in its beginning, or not at all; longer ones take longer to judge. */
const judged = 64;

const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judged });

/** From 0 to 4. `words`: what others try first with this user. */
export const scoreOf = (password: string, words: readonly string[]): number =>
  judge.check(password.slice(0, judged), [...words]).score;
