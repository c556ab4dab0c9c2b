/** Of all texts of a kind. A full memory is emptied. */
const mostKept = 1000;

/** Reads a text the first time that it comes; what throws is read each time. */
export const readOnce = <Value>(read: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = read(text);
    if (known.size >= mostKept) known.clear();
    known.set(text, value);
    return value;
  };
};
