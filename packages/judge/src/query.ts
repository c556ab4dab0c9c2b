/** What stands behind the question mark, in the shapes that the operation declares; what is not in its shape stays text and is refused. */

import type { Query } from '@roster/contract';
import type { TObject, TSchema } from '@sinclair/typebox';

const wholeNumber = /^-?\d{1,9}$/;

const asDeclared = (schema: TSchema | undefined, values: string[]): Query[string] => {
  if (schema?.type === 'array') return values;
  const last = values.at(-1) ?? '';
  return schema?.type === 'integer' && wholeNumber.test(last) ? Number(last) : last;
};

/** `id[]=a&id[]=b` is `id=a&id=b`: both are sent. */
const nameOf = (sent: string): string => (sent.endsWith('[]') ? sent.slice(0, -2) : sent);

export const readQuery = ({ properties }: TObject, search: string): Query => {
  const all = new Map<string, string[]>();
  for (const [sent, value] of new URLSearchParams(search)) {
    const name = nameOf(sent);
    const values = all.get(name);
    if (values) values.push(value);
    else all.set(name, [value]);
  }
  return Object.fromEntries(
    [...all].map(([name, values]) => [
      name,
      asDeclared(Object.hasOwn(properties, name) ? properties[name] : undefined, values),
    ]),
  );
};
