import type { JudgeSettings } from '@roster/contract';

type Rule<Given, Found> = (given: Given, settings: JudgeSettings) => Found | undefined;

/** What the first of the rules finds that finds something. */
export function firstOf<Given, Found>(
  rules: readonly Rule<Given, Found>[] | undefined,
  given: Given,
  settings: JudgeSettings,
): Found | undefined {
  for (const rule of rules ?? []) {
    const found = rule(given, settings);
    if (found) return found;
  }
  return undefined;
}
