/** Members of values of which nothing is known. */

/** `path` is like `status.state`. */
export const member = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined),
      value,
    );

export const textAt = (value: unknown, path: string): string => {
  const found = member(value, path);
  return typeof found === 'string' ? found : '';
};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const listAt = (value: unknown, path: string): readonly unknown[] => listOf(member(value, path));

/** What the work gives; something else where it throws. */
export const attempted = <T, Else>(work: () => T, otherwise: Else): T | Else => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};
