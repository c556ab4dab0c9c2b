// A process of its own: the least that an Express application can do with a request.
import type { AddressInfo } from 'node:net';
import express from 'express';

const app = express();
app.use(express.json());
app.post('/', (request, response) => {
  response.status(201).json({ message: 'success', events_processed: request.body.events.length });
});

const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
