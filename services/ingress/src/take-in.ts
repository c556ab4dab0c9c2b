/** From the socket to a body whose work is known and paid for: each step has room before it is done. */
import type { IncomingMessage } from 'node:http';
import type { Operation } from '@roster/contract';
import { priceOf, priceOfReading } from '@roster/judge';
import { announcedLength, checkHeaders } from './body.ts';
import type { Edge } from './edge.ts';
import type { Passage } from './passage.ts';
import { smallBody } from './rooms.ts';
import type { Scope } from './scope.ts';
import type { CountedBody } from './understand.ts';

export type TakeIn = (request: IncomingMessage, scope: Scope, passage: Passage) => Promise<CountedBody>;

type TakeInParts = Pick<Edge, 'pay' | 'rooms' | 'readBody' | 'understand' | 'understandLarge'>;

export const createTakeIn = (
  operation: Operation,
  { pay, rooms, readBody, understand, understandLarge }: TakeInParts,
): TakeIn => {
  const { bodyLimit: limit, dialect } = operation;

  const read = async (request: IncomingMessage, scope: Scope, passage: Passage): Promise<Buffer> => {
    const announced = announcedLength(request) ?? smallBody;
    await pay(scope, passage, priceOfReading(announced > limit ? 0 : announced));
    checkHeaders(request, limit, dialect);
    const { bytes, release } = await readBody({ request, ws: scope.id, limit });
    passage.releases.push(release);
    await pay(scope, passage, priceOfReading(bytes.length));
    return bytes;
  };

  const count = async (bytes: Buffer, scope: Scope, passage: Passage): Promise<CountedBody> => {
    if (bytes.length <= smallBody) return understand(bytes);
    passage.releases.push(await rooms.working(scope.id, bytes.length));
    const body = await understandLarge(bytes);
    passage.releases.push(body.drop);
    return body;
  };

  return async (request, scope, passage) => {
    const body = await count(await read(request, scope, passage), scope, passage);
    await pay(scope, passage, priceOf(operation, { ...body.shape, entries: 0 }));
    return body;
  };
};
