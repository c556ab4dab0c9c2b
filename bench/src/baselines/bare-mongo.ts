// What the yardsticks on MongoDB have in common: connection, transactions and cost, as the least that such work needs.
import mongoose from 'mongoose';
import { answerParent } from '../child.ts';
import { type Cost, costOf } from '../cost.ts';

/** What a yardstick in a process of its own needs to know. */
export interface Servers {
  mongoUrl: string;
  /** Its CPU is part of the cost. */
  mongodPid: number;
}

type MongoClient = mongoose.mongo.MongoClient;
type Rows<Row extends object> = mongoose.mongo.Collection<Row>;

const writeConcern = { w: 'majority', journal: true } as const;
const settings = { readConcern: { level: 'snapshot' }, writeConcern } as const;

/** In a transaction of their own. */
export const writeTogether = <Row extends object>(
  client: MongoClient,
  rows: Rows<Row>,
  writes: Parameters<Rows<Row>['bulkWrite']>[0],
): Promise<unknown> =>
  client.withSession((session) =>
    session.withTransaction(() => rows.bulkWrite(writes, { session }), settings),
  );

/** `prepare` gives the work that is measured, which says how many units it was. */
export const answerWithMongo = <Task extends Servers>(
  prepare: (client: MongoClient, task: Task) => Promise<() => Promise<number>>,
): void =>
  answerParent<Task, Cost>(async (task) => {
    const client = await mongoose.mongo.MongoClient.connect(task.mongoUrl, { writeConcern });
    try {
      const work = await prepare(client, task);
      return await costOf({ bare: process.pid, mongod: task.mongodPid }, work);
    } finally {
      await client.close();
    }
  });
