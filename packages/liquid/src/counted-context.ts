/** The variables of a rendering; looking them up is counted. */
import { Context, type Liquid, type Scope } from 'liquidjs';
import { sizeOf } from './size-of.ts';
import type { Steps } from './steps.ts';

type Limiters = ConstructorParameters<typeof Context>[3];
type ScopePath = Parameters<Context['_getFromScope']>[1];

/** Characters and elements in a step. `scopes`: those of loops inside loops, which are asked for a name one after the other. */
const perStep = { read: 64, made: 64, filtered: 16, compared: 8, scopes: 16 };

export class CountedContext extends Context {
  readonly steps: Steps;
  readonly library: Liquid;
  #depth = 0;

  constructor(scope: object, library: Liquid, steps: Steps, limiters?: Limiters) {
    super(scope, library.options, { sync: true }, limiters);
    this.steps = steps;
    this.library = library;
  }

  /** Takes the steps for the size of a value, as often as it is looked at. */
  takeSize(value: unknown, how: 'read' | 'filtered' | 'compared', times = 1): void {
    if (typeof value === 'number' || value === undefined) return;
    const most = this.steps.left() * perStep[how];
    this.steps.take('sizes', (sizeOf(value, most) * times) / perStep[how]);
  }

  /** Two texts are compared much faster than the elements of two lists. */
  takeCompared(value: unknown, times = 1): void {
    this.takeSize(value, typeof value === 'string' ? 'read' : 'compared', times);
  }

  /** Elements and characters that filters and ranges make: `memoryLimit` of liquidjs hears of them. */
  countMade(): this {
    const { memoryLimit, steps } = this;
    const use = memoryLimit.use.bind(memoryLimit);
    memoryLimit.use = (count) => {
      use(count);
      steps.take('sizes', count / perStep.made);
    };
    return this;
  }

  /** Elements and characters, before or after they are made. */
  takeMade(count: number): void {
    this.memoryLimit.use(count);
  }

  override push(scope: object): number {
    this.#depth = super.push(scope);
    return this.#depth;
  }

  override pop(): ReturnType<Context['pop']> {
    this.#depth -= 1;
    return super.pop();
  }

  override _get(path: Exclude<ScopePath, string>): IterableIterator<unknown> {
    this.steps.take('names', this.#depth / perStep.scopes);
    return super._get(path);
  }

  /** Every value that a template reads comes from here, so its size is counted whatever is done with it. No name has to exist. */
  override *_getFromScope(scope: unknown, path: ScopePath): IterableIterator<unknown> {
    let value = scope;
    for (const name of typeof path === 'string' ? path.split('.') : path)
      value = yield this.readProperty(value as Scope, name);
    this.takeSize(value, 'read');
    return value;
  }

  override readProperty(...[of, name]: Parameters<Context['readProperty']>): unknown {
    this.steps.take('names', 1);
    if (name === 'size' && !Array.isArray(of)) this.takeSize(of, 'read');
    return super.readProperty(of, name);
  }

  /** For each element of a list that is filtered by a member. */
  override spawn(scope: object = {}): CountedContext {
    const { memoryLimit, renderLimit, library, steps } = this;
    return new CountedContext(scope, library, steps, { memoryLimit, renderLimit });
  }
}

export const countedIn = (context: Context): CountedContext => {
  if (context instanceof CountedContext) return context;
  throw new TypeError('a template is rendered in a context that does not count');
};
