/** The form of a request, and the bounds on forms that are on their way. */
import type { IncomingMessage } from 'node:http';
import { createPlaces, createWaiting, mostCallBytes, type PageBounds, takeFrom } from './bounds.ts';
import { mostFormBytes } from './form.ts';
import type { PageRequest } from './pages.ts';

/** `gone`: the connection was closed before the end. */
type PostedForm = { body: string } | { failed: 'large' | 'late' | 'gone' };

/** The body of a form, as text. Settles whatever happens to the connection. What comes after that is not kept. */
const usualReadForm = (
  request: IncomingMessage,
  { mostBytes, withinMs }: { mostBytes: number; withinMs: number },
): Promise<PostedForm> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const settle = (form: PostedForm): void => {
      clearTimeout(timer);
      request.off('data', keep).off('end', end).off('close', gone).pause();
      resolve(form);
    };
    const keep = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > mostBytes) settle({ failed: 'large' });
      else pieces.push(piece);
    };
    const end = (): void => settle({ body: Buffer.concat(pieces).toString() });
    const gone = (): void => settle({ failed: 'gone' });
    const timer = setTimeout(() => settle({ failed: 'late' }), withinMs);
    request.on('data', keep).on('end', end).on('close', gone);
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) settle({ failed: 'large' });
    else if (request.destroyed) gone();
  });

export interface ReceiveOptions {
  /** Whether it is an address for a provider of text messages, which only Roster can have made. */
  isOfProvider(path: string): boolean;
  readForm?: typeof usualReadForm;
}

/** `drop`: nobody needs its bytes any more. */
export type ReceivedForm = PostedForm | { failed: 'crowd' } | { body: string; drop(): void };

const mayBeLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > mostFormBytes &&
  /^application\/json\b/i.test(headers['content-type'] ?? '');

/** A form that is still on its way has a place of its own, and none of those where pages are made. A large call keeps its place as long as its bytes are here. */
export const createReceive = (
  bounds: PageBounds,
  { isOfProvider, readForm = usualReadForm }: ReceiveOptions,
) => {
  const [receiving, calls] = [createPlaces(bounds.receiving), createPlaces(bounds.calls)];
  const waiting = createWaiting();
  const withinMs = bounds.bodyWithinMs;

  const receiveCall = async (request: IncomingMessage, path: string): Promise<ReceivedForm> => {
    const drop = calls.take(path);
    if (!drop) return { failed: 'crowd' };
    const form = await readForm(request, { mostBytes: mostCallBytes, withinMs });
    if ('body' in form) return { ...form, drop };
    drop();
    return form;
  };

  const receiveForm = async (request: IncomingMessage, network: string): Promise<ReceivedForm> => {
    const leave = takeFrom(receiving, waiting, network);
    if (!leave) return { failed: 'crowd' };
    const over = waiting.add(network, () => {
      over();
      leave();
      request.socket.destroy();
    });
    const form = await readForm(request, { mostBytes: mostFormBytes, withinMs });
    over();
    leave();
    return form;
  };

  return (
    request: IncomingMessage,
    { network, path }: Pick<PageRequest, 'network' | 'path'>,
  ): Promise<ReceivedForm> =>
    mayBeLarge(request) && isOfProvider(path) ? receiveCall(request, path) : receiveForm(request, network);
};
