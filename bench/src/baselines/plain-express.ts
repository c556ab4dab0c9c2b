// The measure for the ingress: the least that an Express application can do with the same request.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { answerParent } from '../child.ts';

const app = express();
app.use(express.json({ limit: '6mb' }));
app.post('/users/track', (request, response) => {
  response.status(201).json({ message: 'success', events_processed: request.body.events.length });
});

const server = app.listen(0, '127.0.0.1');

answerParent<object, number>(async () => {
  if (!server.listening) await new Promise((listening) => server.once('listening', listening));
  return (server.address() as AddressInfo).port;
});
