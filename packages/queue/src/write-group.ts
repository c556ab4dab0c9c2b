/** The JSON of a group, as bytes. */
import type { Sized } from './group.ts';

/** Where the bytes of a group come from. */
export type TakeBytes = (size: number) => Buffer;

const none = Buffer.from('null');

const restOf = ({ params, query, headers, by, exact, again, reply, trace }: Sized['request']): string => {
  if (!params && !query && !headers && !by && !exact && !again && !reply && !trace) return '';
  // JSON leaves out missing members.
  return `,${JSON.stringify({ params, query, headers, by, exact, again, reply, trace })}`;
};

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/**
 * Ids, workspaces and operations need no escapes, and the body goes in as the bytes that came: it has been parsed once already, and
 * writing it anew would be the most expensive thing that the ingress does.
 */
export const write = (members: readonly Sized[], bytes: number, take: TakeBytes): Buffer => {
  const parts: (string | Buffer)[] = [];
  let before = `{"v":1,"entries":${sum(members, ({ entries }) => entries)},"bytes":${bytes},"requests":[`;
  for (const { request, body } of members) {
    parts.push(`${before}["${request.id}","${request.ws}","${request.op}",`, body.length > 0 ? body : none);
    before = `${restOf(request)}],`;
  }
  parts.push(`${before.slice(0, -1)}]}`);
  return joined(parts, take);
};

const joined = (parts: readonly (string | Buffer)[], take: TakeBytes): Buffer => {
  const lengthOf = (part: string | Buffer): number =>
    typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const whole = take(sum(parts, lengthOf));
  let place = 0;
  for (const part of parts) {
    place += typeof part === 'string' ? whole.write(part, place) : part.copy(whole, place);
  }
  return whole.subarray(0, place);
};
