/** The MongoDB driver that `mongodb-memory-server-core` brings along, in the little that is needed of it. */
import { createRequire } from 'node:module';

type Document = Record<string, unknown>;

export interface Admin {
  command(command: Document): Promise<Document>;
}

interface Client {
  connect(): Promise<Client>;
  db(name: string): Admin;
  close(): Promise<void>;
}

interface Driver {
  MongoClient: new (url: string, options: Document) => Client;
}

const load = (): Driver => {
  const ours = createRequire(import.meta.url);
  return createRequire(ours.resolve('mongodb-memory-server-core'))('mongodb') as Driver;
};

/** Works with the admin database of one server, in any role in its replica set. */
export const withAdmin = async <T>(port: number, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const { MongoClient } = load();
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    socketTimeoutMS: 30_000,
  });
  try {
    return await (await client.connect())
      .db('admin')
      .command({ ping: 1 })
      .then(() => work(client.db('admin')));
  } finally {
    await client.close();
  }
};
