// A service that reads a request and answers it, and does nothing else: what is measured is the caller.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';

export interface Answering {
  url: string;
  answered: number;
}

const answer = JSON.stringify({ message: 'success', events_processed: 1 });
let answered = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    answered += 1;
    response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' }).end(answer);
  });
}).listen(0, '127.0.0.1');

answerParent<object, Answering>(async () => {
  if (!server.listening) await new Promise((listening) => server.once('listening', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answered };
});
