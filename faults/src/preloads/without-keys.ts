// A server that ignores idempotency keys: what it sends itself keeps them.
import { IncomingMessage, Server } from 'node:http';

const { emit } = Server.prototype;

Server.prototype.emit = function emitWithoutKey(event: string | symbol, ...args: unknown[]): boolean {
  const [request] = args;
  if (event === 'request' && request instanceof IncomingMessage) delete request.headers['idempotency-key'];
  return Reflect.apply(emit, this, [event, ...args]);
};
