/** The objects of a bucket, as files. They are read part by part, so that no connection waits while rows are sorted. */
import { AwsV4Signer } from 'aws4fetch';
import { bounds } from '../bounds.ts';
import { type FileStore, hasEnding, type Range, type StoredFile } from '../files/store.ts';
import { type Answer, exchange } from '../http/exchange.ts';
import type { Limits } from '../limits.ts';
import type { BucketSettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { type Address, readAddress } from './address.ts';
import { type Listed, readList, toSourceError } from './answers.ts';

const listBytes = 8_388_608;
const listedAtATime = 1_000;

const tooMany = (what: string): SourceError =>
  new SourceError('too_large', `the bucket has more than ${what}: name a longer prefix`);

type TimeLimits = Pick<Limits, 'questionMs' | 'silenceMs'>;

/** A signed question; its answer is a success. */
const createAsk = (settings: BucketSettings, address: Address, limits: TimeLimits) => {
  const { accessKey, secretKey, sessionToken, region, tls } = settings;
  return async (
    url: URL,
    headers: Readonly<Record<string, string>>,
    mostBytes: number,
    signal: AbortSignal,
  ): Promise<Answer> => {
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

export interface BucketBounds {
  readonly files: number;
  readonly bucketKeys: number;
  readonly bucketBytes: number;
  readonly partBytes: number;
}

export const openBucket = (
  settings: BucketSettings,
  limits: TimeLimits = bounds,
  most: BucketBounds = bounds,
): FileStore => {
  const address = readAddress(settings);
  const ask = createAsk(settings, address, limits);

  const listFrom = async (token: string | undefined, signal: AbortSignal): Promise<Listed> => {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(listedAtATime),
      ...(address.prefix && { prefix: address.prefix }),
      ...(token !== undefined && { 'continuation-token': token }),
    };
    return readList(await ask(address.urlOf('', query), {}, listBytes, signal), address);
  };

  async function* objects(signal: AbortSignal) {
    let token: string | undefined;
    let seen = 0;
    do {
      const page = await listFrom(token, signal);
      seen += page.objects.length;
      if (seen > most.bucketKeys) throw tooMany(`${most.bucketKeys} objects`);
      yield* page.objects;
      token = page.next;
    } while (token !== undefined);
  }

  return {
    at: `s3://${address.bucket}/${address.prefix}`,
    async list(endings, signal) {
      const files: StoredFile[] = [];
      let bytes = 0;
      for await (const { key, ...object } of objects(signal)) {
        if (!hasEnding(key, endings)) continue;
        bytes += object.bytes;
        files.push({ name: key, ...object });
        if (files.length > most.files) throw tooMany(`${most.files} files`);
        if (!(bytes <= most.bucketBytes)) throw tooMany(`${most.bucketBytes / 2 ** 30} GB in files`);
      }
      return files.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async *read({ name, bytes, tag }, range: Range = [0, bytes], signal) {
      const [from, to] = range;
      for (let at = from; at < to; at += most.partBytes) {
        const end = Math.min(to, at + most.partBytes);
        const headers = { range: `bytes=${at}-${end - 1}`, ...(tag && { 'if-match': tag }) };
        const { body } = await ask(address.urlOf(name), headers, end - at, signal);
        if (body.length !== end - at)
          throw new SourceError('connection_lost', 'an object was changed or removed while it was read');
        yield body;
      }
    },
  };
};
