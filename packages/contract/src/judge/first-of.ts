import type { JudgeSettings } from '../operation.ts';

type Rule<Given, Found> = (given: Given, settings: JudgeSettings) => Found | undefined;

/** The result of the first rule that finds a problem. */
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
