/** A bucket of a real S3 server, in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The server knows no others. */
const key = { accessKey: 'S3RVER', secretKey: 'S3RVER' };

export const testBucket = async (bucket: string) => {
  // Loaded only by the few tests that need them.
  const [{ AwsClient }, { default: S3rver }] = await Promise.all([import('aws4fetch'), import('s3rver')]);
  const directory = await mkdtemp(join(tmpdir(), 'roster-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  const client = new AwsClient({
    accessKeyId: key.accessKey,
    secretAccessKey: key.secretKey,
    service: 's3',
    retries: 0,
  });
  return {
    endpoint,
    ...key,
    /** The name of the object as it stands in a URL. */
    async put(name: string, body: string | Buffer): Promise<void> {
      const { status } = await client.fetch(`${endpoint}/${bucket}/${name}`, { method: 'PUT', body });
      if (status > 299) throw new Error(`PUT ${name}: ${status}`);
    },
    async close(): Promise<void> {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
};

export type TestBucket = Awaited<ReturnType<typeof testBucket>>;
