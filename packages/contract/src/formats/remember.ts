/** Caches the answers of a function; an error is not cached. A full cache is emptied: simple, bounded, and good enough. */
export function remember<T>(answer: (text: string) => T, limit = 10_000): (text: string) => T {
  const known = new Map<string, { value: T }>();
  return (text) => {
    const hit = known.get(text);
    if (hit) return hit.value;
    const value = answer(text);
    if (known.size >= limit) known.clear();
    known.set(text, { value });
    return value;
  };
}

/** The same for a function of short texts: a longer one has no answer. */
export function rememberShort<T>(answer: (text: string) => T, longest: number, limit?: number) {
  const kept = remember(answer, limit);
  return (text: string): T | undefined => (text.length > longest ? undefined : kept(text));
}
