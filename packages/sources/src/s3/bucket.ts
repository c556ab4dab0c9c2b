/** The objects of a bucket, as files. They are read part by part, so that no connection waits while rows are sorted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { bounds } from '../bounds.ts';
import { createListing, type FileStore, type StoreBounds, wasChanged } from '../files/store.ts';
import { type Answer, type Question as AnyQuestion, exchange } from '../http/exchange.ts';
import type { BucketTable } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { type Address, canBeNamed, readAddress } from './address.ts';
import { readList, toSourceError } from './answers.ts';

const listBytes = 8_388_608;
const listedAtATime = 1_000;
/** Pages without an object: each says that there is another one. */
const emptyPages = 100;
/** A long list is asked for page by page so fast at most: a server near by would keep this process busy. */
const [pagesAtOnce, betweenPagesMs] = [10, 50];

export interface BucketBounds extends StoreBounds {
  readonly partBytes: number;
  readonly pausesMs: readonly number[];
}

type Question = Pick<AnyQuestion, 'url' | 'mostBytes' | 'signal'> & Partial<Pick<AnyQuestion, 'headers'>>;
type TimeLimits = AnyQuestion['limits'];

/** A signed question; its answer is a success. */
const createAsk = (settings: BucketTable, address: Address, limits: TimeLimits) => {
  const { accessKey, secretKey, sessionToken, region, tls } = settings;
  return async ({ url, headers = {}, mostBytes, signal }: Question): Promise<Answer> => {
    const signer = new AwsV4Signer({
      url: url.href,
      headers,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
      // Range and If-Match are signed too.
      allHeaders: true,
    });
    const signed = await signer.sign();
    const answer = await exchange({
      url: new URL(signed.url),
      headers: Object.fromEntries(signed.headers),
      tls,
      mostBytes,
      limits,
      signal,
    });
    if (answer.status < 200 || answer.status > 299) throw toSourceError(answer, address);
    return answer;
  };
};

const isWorthAnother = (error: unknown): boolean =>
  error instanceof SourceError && error.kind === 'passing' && error.code !== 'file_changed';

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {
    throw signal.reason;
  });

/** Of a hundred thousand answers some fail: a whole reading need not begin anew. */
const patiently = async <T>(pausesMs: readonly number[], signal: AbortSignal, work: () => Promise<T>) => {
  for (const ms of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthAnother(error) || signal.aborted) throw error;
      await sleep(ms, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
  return work();
};

const unnameable = 'has "." or ".." in its path, which a URL can not name';

export const openBucket = (
  settings: BucketTable,
  limits: Partial<TimeLimits> = {},
  most: BucketBounds = bounds,
): FileStore => {
  const address = readAddress(settings);
  const at = `s3://${address.bucket}/${address.prefix}`;
  const askOnce = createAsk(settings, address, { ...bounds, ...limits });
  const ask = (question: Question): Promise<Answer> =>
    patiently(most.pausesMs, question.signal, () => askOnce(question));

  const listFrom = async (token: string | undefined, signal: AbortSignal) => {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(listedAtATime),
      ...(address.prefix && { prefix: address.prefix }),
      ...(token !== undefined && { 'continuation-token': token }),
    };
    return readList(await ask({ url: address.urlOf('', query), mostBytes: listBytes, signal }), address);
  };

  return {
    at,
    async list(endings, signal) {
      const listing = createListing(at, endings, most);
      let token: string | undefined;
      let [pages, empty] = [0, 0];
      do {
        if (pages >= pagesAtOnce) await pause(betweenPagesMs, signal);
        pages += 1;
        const { objects, next } = await listFrom(token, signal);
        if (objects.length === 0) empty += 1;
        if (empty > emptyPages)
          throw new SourceError('not_this_protocol', `${at} lists pages without an object and without end`);
        for (const { key, ...object } of objects)
          if (listing.wants(key.slice(address.prefix.length)))
            listing.add({ name: key, ...object, ...(!canBeNamed(key) && { problem: unnameable }) });
        token = next;
      } while (token !== undefined);
      return listing.sorted();
    },
    async *read({ name, bytes, tag }, [from, to] = [0, bytes], signal) {
      for (let first = from; first < to; first += most.partBytes) {
        const end = Math.min(to, first + most.partBytes);
        const headers = { range: `bytes=${first}-${end - 1}`, ...(tag && { 'if-match': tag }) };
        const question = { url: address.urlOf(name), headers, mostBytes: end - first, signal };
        const { body } = await ask(question);
        if (body.length !== end - first) throw wasChanged(name);
        yield body;
      }
    },
  };
};
