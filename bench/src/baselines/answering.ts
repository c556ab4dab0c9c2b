// A service that reads a request and answers it, and does nothing else: what is measured is the caller.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';

const answer = JSON.stringify({ message: 'success', events_processed: 1 });

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' }).end(answer);
  });
}).listen(0, '127.0.0.1');

answerParent<object, number>(async () => {
  if (!server.listening) await new Promise((listening) => server.once('listening', listening));
  return (server.address() as AddressInfo).port;
});
