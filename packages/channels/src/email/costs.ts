/** What the HTML of one email may cost. All of it is counted, so that each machine refuses the same emails. */
export const limits = {
  /** Work of reading the HTML, of writing styles into it and of making the plain text: the prices below, each about a quarter of a microsecond. */
  steps: 2_000_000,
  /** Tags inside tags: what follows the nesting takes stack for each of them. */
  depth: 256,
  /** Characters of the HTML when the styles are in it. */
  output: 2 * 1024 * 1024,
  /** All of it is work for a thread. */
  isInThread: true,
  /** An address is one recipient, whatever stands in it. */
  isOneRecipient: true,
};

/** For fault tests, to see what these limits are good for: this process has none from now on. */
export const liftEmailLimits = (): void => {
  const none = Number.POSITIVE_INFINITY;
  Object.assign(limits, { steps: none, output: none, isInThread: false, isOneRecipient: false });
};

/** They were measured with what costs most of each kind. */
export const prices = {
  /** Of HTML, also in the plain text. */
  character: 0.5,
  element: 56,
  /** A line of its own in the plain text. */
  rule: 400,
  /** Of a style sheet. */
  cssCharacter: 6,
  /** One look at an element. */
  look: 1,
  /** One of all the neighbours of an element. */
  neighbour: 1 / 16,
  declaration: 4,
  /** Of attributes and declarations. */
  valueCharacter: 1 / 32,
} as const;

/** The email cannot be made: the message says why, for the sender. */
export class EmailFault extends Error {}

export type Take = (steps: number) => void;

export const createSteps = (): Take => {
  let left = limits.steps;
  return (steps) => {
    left -= steps;
    if (left < 0)
      throw new EmailFault('the HTML and its styles take too much work: send fewer elements or rules');
  };
};
