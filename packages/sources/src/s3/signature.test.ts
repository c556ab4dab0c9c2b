/** The signature of requests, worked out a second time: the test server checks none. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { usePeer } from '@roster/testkit';
import { inShort, readAll } from '../testbed.ts';
import { type BucketSettings, openBounded, settingsOf } from './testbed.ts';

interface Signed {
  readonly method: string;
  /** As it was sent: path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const signatureOf = ({ method, url, headers }: Signed, secretKey: string) => {
  const pattern =
    /Credential=[^/]+\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/;
  const [, day = '', region = '', names = '', sent] = pattern.exec(headers.authorization ?? '') ?? [];
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  return { sent, right: hmac(key, toSign).toString('hex'), names: names.split(';') };
};

it('is worked out as in the example of AWS', () => {
  const signed = {
    method: 'GET',
    url: '/test.txt',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': sha256(''),
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
  };
  const { sent, right } = signatureOf(signed, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
  expect(right).toBe(sent);
});

describe('a server that checks signatures', () => {
  const secretKey = 'the/right+secret';
  const seen: string[][] = [];
  const rows = '{"id":"1","updated_at":"2026-01-31","payload":"p"}';
  const key = "day 1/ü+(a)*'!=&.ndjson";
  const listed = `<ListBucketResult><Contents><Key>${key.replace('&', '&amp;')}</Key><Size>${rows.length}</Size>
    <LastModified>2026-01-31T00:00:00Z</LastModified><ETag>"e"</ETag></Contents></ListBucketResult>`;
  const server = usePeer(({ method = '', url = '', headers }, response) => {
    const { sent, right, names } = signatureOf({ method, url, headers }, secretKey);
    seen.push(names);
    if (sent !== right)
      return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    return response.end(url.includes('list-type') ? listed : rows);
  });
  const source = (more: Partial<BucketSettings> = {}) =>
    openBounded(
      settingsOf(server.url, {
        region: 'eu-central-1',
        prefix: "day 1/ü+(a)*'!",
        secretKey,
        sessionToken: 'to+ken',
        ...more,
      }),
      { pausesMs: [] },
    );

  it('takes those of the right secret, whatever signs a name has', async () => {
    expect(inShort(await readAll(source()))).toEqual(['1@p']);
    expect(seen.at(-1)).toEqual(
      expect.arrayContaining(['host', 'if-match', 'range', 'x-amz-date', 'x-amz-security-token']),
    );
  });

  it('refuses those of another', async () => {
    const test = source({ secretKey: 'another' }).test();
    await expect(test).rejects.toMatchObject({ code: 'access_denied', kind: 'config' });
  });
});
