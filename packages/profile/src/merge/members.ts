/** Members of items in a merge. */
import type { Value } from '../profile.ts';
import { keyOf } from '../whole.ts';
import { type Choice, later, type ReadTime, stays } from './choices.ts';

type Members = { [name: string]: Value };

export type MemberRules = { readonly [name: string]: Choice };

const isMembers = (value: Value): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Missing members come over. Members that both have follow their rule; without a rule the kept one stays. Built from entries: names are data. */
export const joined = (kept: Members, away: Members, rules: MemberRules, time: ReadTime): Members => {
  const all = new Map(Object.entries(kept));
  for (const [name, value] of Object.entries(away)) {
    const own = all.get(name);
    const choose = Object.hasOwn(rules, name) ? rules[name] : stays;
    all.set(
      name,
      own === undefined || own === null ? value : value === null || !choose ? own : choose(own, value, time),
    );
  }
  return Object.fromEntries(all);
};

export const members =
  (choose: Choice): Choice =>
  (kept, away, time) => {
    if (!isMembers(kept) || !isMembers(away)) return kept;
    const rules = Object.fromEntries(Object.keys(kept).map((name) => [name, choose]));
    return joined(kept, away, rules, time);
  };

const nameOf = (step: Value): string =>
  isMembers(step) ? String(step.api_canvas_step_id ?? step.name ?? '') : keyOf(step);

/** Steps of a workflow, by their ids. */
export const steps: Choice = (kept, away, time) => {
  if (!Array.isArray(kept) || !Array.isArray(away)) return kept;
  const all = new Map(kept.map((step) => [nameOf(step), step]));
  for (const step of away) {
    const own = all.get(nameOf(step));
    all.set(
      nameOf(step),
      isMembers(own ?? null) && isMembers(step)
        ? joined(own as Members, step, { last_received: later }, time)
        : (own ?? step),
    );
  }
  return [...all.values()];
};
