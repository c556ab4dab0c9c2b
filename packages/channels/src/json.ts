/** Small things about JSON that every channel needs. */

/** `undefined`: it is none. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Without the members that have no value. */
export const present = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** `messages.0.id`: the text or number in this place. */
export const textAt = (path: string, value: unknown): string | undefined => {
  const found = path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Record<string, unknown>)[name]
          : undefined,
      value,
    );
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
};
