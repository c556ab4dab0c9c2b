/** Has liquidjs count what it does. steps.ts says what is counted; the rest of it is in counted-context.ts and counted-filters.ts. */
import {
  CaptureTag,
  CaseTag,
  type Context,
  defaultOperators,
  type Emitter,
  Expression,
  type Liquid,
  type LiquidOptions,
  type Template as Parsed,
  type Parser,
  type TagToken,
  TokenKind,
  type TopLevelToken,
} from 'liquidjs';
import { type CountedContext, countedIn } from './counted-context.ts';
import { countFilters, takeSearch } from './counted-filters.ts';
import type { Steps } from './steps.ts';

const charactersPerStep = 16;

/** A tag reads its own source each time in part: the names of its arguments, the values of a cycle. */
const stepsOf = ({ token }: Parsed): number =>
  token.kind === TokenKind.HTML ? 1 : 1 + token.size() / charactersPerStep;

function* countedNodes(templates: Iterable<Parsed>, steps: Steps): Generator<Parsed> {
  steps.take('rounds', 1);
  for (const template of templates) {
    steps.take('nodes', stepsOf(template));
    yield template;
  }
}

/** Everything that is rendered comes through here: a whole template, each round of a loop, a branch, a capture. */
const countNodes = ({ renderer }: Liquid): void => {
  const render = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter?: Emitter) => {
    const nodes: Iterable<Parsed> = countedNodes(templates, countedIn(context).steps);
    // It only goes through them once.
    return render(nodes as Parsed[], context, emitter);
  };
};

/** The parser makes expressions by itself, and for some filters only when they are used: so all of them count, in each library. */
const countOperands = (): void => {
  const { evaluate } = Expression.prototype;
  Expression.prototype.evaluate = function (context, lenient) {
    countedIn(context).steps.take('operands', this.postfix.length);
    return evaluate.call(this, context, lenient);
  };
};
countOperands();

/** A `case` compares with every value, also after one of them was right. */
class CountedCase extends CaseTag {
  constructor(token: TagToken, rest: TopLevelToken[], library: Liquid, parser: Parser) {
    super(token, rest, library, parser);
    const { value, branches } = this;
    const count = branches.reduce((sum, { values }) => sum + values.length, 0);
    const valueIn = value.value.bind(value);
    value.value = function* (context, lenient) {
      const found = yield valueIn(context, lenient);
      const counted = countedIn(context);
      counted.steps.take('operands', count);
      counted.takeCompared(found, count);
      return found;
    };
  }
}

/** What a capture keeps takes memory as what filters make does. */
class CountedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const { [this.variable]: text } = context.bottom() as Record<string, unknown>;
    if (typeof text === 'string') countedIn(context).takeMade(text.length);
  }
}

type Operator = NonNullable<LiquidOptions['operators']>[string];
type TakeOperands = (context: CountedContext, left: unknown, right: unknown) => void;

const takeBoth: TakeOperands = (context, left, right) => {
  context.takeCompared(left);
  context.takeCompared(right);
};

/** A list may have lists in it, and each is compared with the right side. */
const takeContains: TakeOperands = (context, left, right) => {
  takeBoth(context, left, right);
  if (!Array.isArray(left)) takeSearch(context, left, right);
  else if (Array.isArray(right)) context.takeCompared(right, left.length);
};

/** Whether a value is true takes no time: these cost no more than their operands. */
const ofTruth = new Set(['and', 'or', 'not']);

const countedOperator = (name: string, operator: Operator): Operator => {
  if (ofTruth.has(name)) return operator;
  const take = name === 'contains' ? takeContains : takeBoth;
  return (left: unknown, right: unknown, context: Context) => {
    take(countedIn(context), left, right);
    return operator(left, right, context);
  };
};

/** Library options. */
export const countedOperators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [name, countedOperator(name, operator)]),
);

export const countSteps = (library: Liquid): void => {
  countNodes(library);
  countFilters(library);
  library.registerTag('case', CountedCase);
  library.registerTag('capture', CountedCapture);
};
