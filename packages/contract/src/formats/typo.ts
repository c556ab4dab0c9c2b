import { isJsonObject, type Json } from '../types.ts';
import { nearest } from './distance.ts';

/** Of a body with very many unknown members, the first ones are compared: short ones only. */
const most = { members: 50, length: 40 };

/** A member that is nearly one of the interface: `subjct`, and `is not known: did you mean subject?` */
export const typoIn = (
  sent: Json | Readonly<Record<string, unknown>> | undefined,
  members: readonly string[],
): [name: string, what: string] | undefined => {
  if (!isJsonObject(sent)) return undefined;
  const unknown = Object.keys(sent).filter((name) => !members.includes(name) && name.length <= most.length);
  for (const name of unknown.slice(0, most.members)) {
    const meant = nearest(
      name,
      members.filter((known) => !Object.hasOwn(sent, known)),
    );
    if (meant !== undefined) return [name, `is not known: did you mean ${meant}?`];
  }
  return undefined;
};
