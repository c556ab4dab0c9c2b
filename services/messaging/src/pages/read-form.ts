/** The body of a form: a few KB, as text. */
import type { IncomingMessage } from 'node:http';

export interface FormBounds {
  mostBytes: number;
  withinMs: number;
}

/** `gone`: the connection was closed before the end. */
export type PostedForm = { body: string } | { failed: 'large' | 'late' | 'gone' };

/** Settles whatever happens to the connection. What comes after that is not kept. */
export const readForm = (
  request: IncomingMessage,
  { mostBytes, withinMs }: FormBounds,
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
