/** From the socket to a body that is understood: each step is paid and has room before it is done. */
import type { IncomingMessage } from 'node:http';
import { holdsLong, type Operation, priceOf, priceOfReading } from '@roster/contract';
import { announcedLength, checkHeaders } from './body.ts';
import type { Edge } from './edge.ts';
import type { Passage } from './passage.ts';
import { smallBody } from './rooms.ts';
import type { Scope } from './scope.ts';
import { type Body, counted, parsed } from './understand.ts';

export type TakeIn = (request: IncomingMessage, scope: Scope, passage: Passage) => Promise<Body>;

type Parts = Pick<Edge, 'pay' | 'rooms' | 'readBody' | 'bounds' | 'breaths'>;

export const createTakeIn = (
  operation: Operation,
  { pay, rooms, readBody, bounds, breaths }: Parts,
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

  return async (request, scope, passage) => {
    const bytes = await read(request, scope, passage);
    passage.releases.push(await rooms.working(scope.id, bytes.length));
    const breath = breaths(bytes.length);
    passage.releases.push(breath.end);
    await breath.begin();
    const shape = counted(bytes, bounds);
    await pay(scope, passage, priceOf(operation, { ...shape, entries: 0 }));
    await breath.pause();
    const exactly = (shape.longNumbers ?? 0) > 0 && dialect !== 'scim';
    const value = parsed(bytes, exactly);
    await breath.pause();
    return { bytes, value, shape, breath, exact: exactly && holdsLong(value) };
  };
};
