// What redis-away is measured against: an Express application that adds each request to a BullMQ queue, with the settings they come with.
import { Queue } from 'bullmq';
import express from 'express';

const redis = new URL(process.env.REDIS_URL ?? '');
const queue = new Queue('naive', { connection: { host: redis.hostname, port: Number(redis.port) } });
queue.on('error', () => {});

const app = express();
app.use(express.json());
app.get('/health/ready', (_request, response) => void response.json({ status: 'ok' }));
app.post('/users/track', async (request, response) => {
  await queue.add('track', request.body);
  response.status(201).json({ message: 'success' });
});

const port = Number(process.env.PORT ?? 0);
const server = app.listen(port, '127.0.0.1', () => {
  const address = server.address();
  const listening = typeof address === 'object' ? address?.port : port;
  console.log(JSON.stringify({ msg: 'ready', port: listening }));
  process.send?.({ ready: true, port: listening });
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
