/** Where a call goes: its path with its parameters, and its query. */
type Value = string | number | boolean | null | undefined;

export type Query = Record<string, Value | readonly Value[]>;

export const pathOf = (path: string, params: readonly unknown[]): string => {
  let place = 0;
  return path.replace(/\{\w+\}/g, (name) => {
    const text = String(params[place++] ?? '');
    if (text === '') throw new TypeError(`${name} is missing`);
    // Both `.` and `%2e` shorten an address.
    if (text === '.' || text === '..') throw new TypeError(`${name} can't be ${text}`);
    return encodeURIComponent(text);
  });
};

/** A list becomes one parameter for each of its values. */
export const queryOf = (query: Query | undefined): string => {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) asked.append(name, String(one));
  const text = asked.toString();
  return text === '' ? '' : `?${text}`;
};
