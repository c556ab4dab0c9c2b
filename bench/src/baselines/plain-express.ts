// The yardstick of HTTP: the least that an Express application can do with a request, alone, on the safe Redis, or with a transaction.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { answerParent } from '../child.ts';
import { writeTogether } from './bare-mongo.ts';

export interface PlainExpressTask {
  redisUrl: string;
  mongoUrl: string;
}

const { MongoClient } = mongoose.mongo;

interface Row {
  _id: string;
}

const page = `<!doctype html><title>Page</title><form></form>${'<p>A page of two kilobytes.</p>'.repeat(70)}`;

const serve = async ({ redisUrl, mongoUrl }: PlainExpressTask): Promise<number> => {
  const redis = new Redis(redisUrl);
  const client = await MongoClient.connect(mongoUrl);
  const rows = client.db().collection<Row>('bench_plain_express');

  const app = express();
  app.use(express.json({ limit: '6mb' }));
  /** Only answers. */
  app.post('/users/track', (request, response) => {
    response.status(201).json({ message: 'success', events_processed: request.body.events.length });
  });
  /** Keeps the request before it answers. */
  app.post('/kept', async (request, response) => {
    await redis.rpush('bench:kept', JSON.stringify(request.body));
    response.status(201).json({ message: 'success' });
  });
  /** Keeps the request, carries it out in a transaction that changes two documents, and answers then. */
  app.post('/carried-out', async (request, response) => {
    const text = JSON.stringify(request.body);
    await redis.rpush('bench:kept', text);
    const writes = ['first', 'second'].map((_id) => ({
      updateOne: { filter: { _id }, update: { $set: { text } }, upsert: true },
    }));
    await writeTogether(client, rows, writes);
    response.status(201).json({ message: 'success' });
  });
  /** A page for a browser. */
  app.get('/page', (_request, response) => {
    response.type('html').send(page);
  });

  const server = app.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return (server.address() as AddressInfo).port;
};

answerParent<PlainExpressTask, number>(serve);
