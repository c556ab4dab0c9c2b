/** Keys or devices that APNs wants a pause of. */

/** Of all apps. */
const mostKept = 10_000;

export const createPauses = () => {
  const until = new Map<string, number>();
  return {
    /** Milliseconds. */
    leftOf: (name: string, now: number): number => (until.get(name) ?? now) - now,
    begin(name: string, end: number): void {
      if (until.size >= mostKept) until.clear();
      until.set(name, end);
    },
  };
};

export type Pauses = ReturnType<typeof createPauses>;
