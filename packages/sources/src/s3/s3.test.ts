/** Against a real S3 server, and against peers that behave as no server should. */
import type { RequestListener } from 'node:http';
import { type TestBucket, testBucket, usePeer } from '@roster/testkit';
import { bounds, type Limits } from '../bounds.ts';
import { openFiles } from '../files/files.ts';
import { openSource } from '../open-source.ts';
import { failureOf, inShort, inTwo, itReadsInOrder, type Person, patient, readAll } from '../testbed.ts';
import { openBucket } from './bucket.ts';
import { openBounded, secretKey, settingsOf } from './testbed.ts';

describe('a bucket of a real server', () => {
  let bucket: TestBucket;
  let endpoint = '';
  beforeAll(async () => {
    bucket = await testBucket('exports');
    endpoint = bucket.endpoint;
  });
  afterAll(() => bucket.close());

  describe('as any source', () => {
    const lines = (people: readonly Person[]) =>
      people.map(({ at, ...rest }) => JSON.stringify({ ...rest, updated_at: at })).join('\n');
    const fill = async (people: readonly Person[]) => {
      const [some, others] = inTwo(people);
      await bucket.put('day%201/b%2Bc.ndjson', lines(some));
      await bucket.put('a.ndjson', lines(others));
    };
    itReadsInOrder({ fill, open: () => openSource(settingsOf(endpoint), patient) });
  });

  it('gives what has the prefix and the ending, part by part', async () => {
    await bucket.put('in/a.csv', 'id,UPDATED_AT,payload\n1,2026-01-31,p\n2,2026-01-31,q');
    await bucket.put('in/read.me', 'no rows');
    await bucket.put('out/b.csv', 'id,UPDATED_AT,payload\n3,2026-01-31,r');
    const source = openBounded(settingsOf(endpoint, { prefix: 'in/', format: 'csv' }), { partBytes: 7 });
    expect(inShort(await readAll(source))).toEqual(['1@p', '2@q']);
  });

  it.each([
    ['has no such bucket', { bucket: 'nowhere' }, 'database_missing', 'has no bucket nowhere'],
    ['does not know the key', { accessKey: 'NOBODY' }, 'access_denied', 'does not know the access key'],
    ['has no such files', { prefix: 'none/' }, 'table_missing', 's3://exports/none/ has no row in a file'],
  ])('that %s', async (_, more, code, words) => {
    const test = openSource(settingsOf(endpoint, more), patient).test();
    await expect(test).rejects.toMatchObject({
      code,
      kind: 'config',
      message: expect.stringContaining(words),
    });
  });

  it.each([{ files: 1 }, { fileNames: 1 }, { filesBytes: 10 }])('has no more than %j', async (more) => {
    await bucket.put('most/a.ndjson', '{"id":"1","updated_at":"2026-01-31"}');
    await bucket.put('most/b.ndjson', '{"id":"2","updated_at":"2026-01-31"}');
    const source = openBounded(settingsOf(endpoint, { prefix: 'most/' }), more);
    await expect(readAll(source)).rejects.toMatchObject({ code: 'too_large', kind: 'config' });
  });
});

describe('a peer', () => {
  const peer = usePeer();
  interface Patience {
    readonly limits?: Partial<Limits>;
    readonly pausesMs?: readonly number[];
  }
  const errorOf = async ({ limits, pausesMs = [] }: Patience = {}): Promise<unknown> => {
    const source = openBounded(settingsOf(peer.url), { pausesMs }, limits);
    const error: unknown = await readAll(source).catch((one) => one);
    expect(`${error}`).not.toContain(secretKey);
    return error;
  };
  const fault = (code: string, more = '') => `<Error><Code>${code}</Code>${more}</Error>`;
  const object = (key: string) =>
    `<Contents><Key>${key}</Key><Size>40</Size><LastModified>2026-01-31T00:00:00Z</LastModified><ETag>&quot;${key}&quot;</ETag></Contents>`;

  it.each<[string, string, RequestListener, Partial<Limits>?]>([
    ['never answers', 'no_answer', () => {}, { questionMs: 200 }],
    [
      'never ends its answer',
      'no_answer',
      (_, response) => void response.writeHead(200).write('<ListBucketResult>'),
      { silenceMs: 500 },
    ],
    ['hangs up', 'connection_lost', (_, response) => void response.destroy()],
    ['is no S3', 'not_this_protocol', (_, response) => void response.end('hello')],
    ['speaks no HTTP', 'not_this_protocol', ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      'ends in its first line',
      'connection_lost',
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nConte'),
    ],
    [
      'sends without end',
      'not_this_protocol',
      (_, response) => {
        const more = () => response.destroyed || response.write(Buffer.alloc(1_000_000), more);
        more();
      },
    ],
    [
      'answers without end before the real one',
      'not_this_protocol',
      ({ socket }) => {
        const part = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000);
        const more = () => socket.destroyed || socket.write(part, more);
        more();
      },
    ],
    [
      'lists a tag in each few of its bytes',
      'not_this_protocol',
      (_, response) => void response.end(`<ListBucketResult>${'<a/>'.repeat(70_000)}</ListBucketResult>`),
    ],
    ...[
      ['lists one in another without end', '<a>'.repeat(1_000)],
      ['lists half a page', '<ListBucketResult><Contents><Key>a.ndjson</Key>'],
      [
        'lists two pages at once',
        '<ListBucketResult></ListBucketResult><ListBucketResult></ListBucketResult>',
      ],
      [
        'has a document type, whose entities would be long',
        `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]><ListBucketResult>${object('&b;.ndjson')}</ListBucketResult>`,
      ],
      [
        'has a document type, whose entity would be a file of this machine',
        `<!doctype l [<!ENTITY file SYSTEM "file:///etc/passwd">]><ListBucketResult>${object('&file;')}</ListBucketResult>`,
      ],
      [
        'names an object as no URL is',
        `<ListBucketResult><EncodingType>url</EncodingType>${object('%zz.ndjson')}</ListBucketResult>`,
      ],
    ].map<[string, string, RequestListener]>(([what = '', list]) => [
      what,
      'not_this_protocol',
      (__, response) => void response.end(list),
    ]),
    [
      'says for ever that there is another page',
      'not_this_protocol',
      (_, response) =>
        void response.end(
          '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>',
        ),
    ],
  ])('that %s is given up: %s', async (_, code, answer, limits = {}) => {
    peer.answer = answer;
    expect(await errorOf({ limits })).toMatchObject({ code });
  });

  it('names an object by an entity that nobody has said: it stands as it is', async () => {
    const asked: string[] = [];
    peer.answer = ({ url = '' }, response) => {
      asked.push(url);
      if (url.includes('list-type'))
        response.end(`<ListBucketResult>${object('&file;&#x61;&amp;.ndjson')}</ListBucketResult>`);
      else response.writeHead(404).end(fault('NoSuchKey'));
    };
    await errorOf();
    expect(asked.at(-1)).toContain(`${encodeURIComponent('&file;a&.ndjson')}`);
  });

  it('is asked for its first rows in time, and its error says what did not come, or what went wrong', async () => {
    const limits = { questionMs: 200 };
    const test = (pausesMs: readonly number[] = []) => {
      const store = openBucket(settingsOf(peer.url), patient, { ...bounds, pausesMs });
      return failureOf(openFiles(store, settingsOf(peer.url), { limits }).test());
    };
    peer.answer = () => {};
    expect((await test()).message).toBe('s3://exports/ did not give the list of its files within 0.2 s');
    peer.answer = (request, response) =>
      request.url?.includes('list-type') &&
      response.end(`<ListBucketResult>${object('a.ndjson')}</ListBucketResult>`);
    expect((await test()).message).toBe('s3://exports/ did not give a row of a.ndjson within 0.2 s');
    peer.answer = (_, response) => void response.writeHead(503).end(fault('SlowDown'));
    expect((await test([3_600_000])).message).toContain('too busy');
  });

  it.each([
    [403, 'SignatureDoesNotMatch', '', 'access_denied', 'refuses the secret key'],
    [403, 'AccessDenied', '', 'access_denied', 'does not let this key list the bucket exports'],
    [301, 'PermanentRedirect', '', 'bad_settings', 'the bucket exports is in another region: eu-1'],
    [400, 'AuthorizationHeaderMalformed', '<Region>eu-2</Region>', 'bad_settings', 'another region: eu-'],
    [503, 'SlowDown', '', 'server_error', 'too busy'],
    [429, '', '', 'server_error', 'too busy'],
    [502, '', '', 'server_error', 'answers with error (HTTP 502)'],
    [400, 'OddThing', `<Message>${secretKey}</Message>`, 'server_error', 'with error OddThing (HTTP 400)'],
  ])('that answers %i %s', async (status, name, more, code, words) => {
    peer.answer = (_, response) =>
      response
        .writeHead(status, status === 301 ? { 'x-amz-bucket-region': 'eu-1' } : {})
        .end(fault(name, more));
    expect(await errorOf()).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it('is asked for page after page of its list, and for the object that was listed', async () => {
    const asked: string[] = [];
    const page = (body: string) =>
      `<ListBucketResult><EncodingType>url</EncodingType>${body}</ListBucketResult>`;
    peer.answer = (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://peer');
      if (searchParams.has('list-type')) {
        const token = searchParams.get('continuation-token');
        asked.push(`list ${token}`);
        const rest = token
          ? object('b%2Bb.ndjson')
          : `<IsTruncated>true</IsTruncated><NextContinuationToken>a+/=</NextContinuationToken>${object('a+a.ndjson')}`;
        return response.end(page(rest));
      }
      asked.push(`${pathname} ${request.headers.range} ${request.headers['if-match']}`);
      if (pathname.includes('b%2Bb')) return response.writeHead(412).end();
      return response.writeHead(206).end('{"id":"1","updated_at":"2026-01-31"}'.padEnd(40));
    };
    expect(await errorOf()).toMatchObject({ code: 'file_changed', kind: 'passing' });
    expect(asked).toEqual([
      'list null',
      'list a+/=',
      '/exports/a%20a.ndjson bytes=0-39 "a+a.ndjson"',
      '/exports/b%2Bb.ndjson bytes=0-39 "b%2Bb.ndjson"',
    ]);
  });

  it('that is too busy is asked again, a few times', async () => {
    let asked = 0;
    peer.answer = (_, response) => {
      asked += 1;
      response.writeHead(503).end(fault('SlowDown'));
    };
    expect(await errorOf({ pausesMs: [1, 1] })).toMatchObject({ code: 'server_error' });
    expect(asked).toBe(3);
  });
});

it.each([
  [{ endpoint: 'ftp://host' }],
  [{ endpoint: 'https://host/path' }],
  [{ endpoint: 'https://someone:word@host' }],
  [{ endpoint: 'nonsense' }],
  [{ bucket: 'a/b' }],
])('settings are refused: %j', (more) => {
  expect(() => openBucket(settingsOf('https://host', more))).toThrow(/endpoint|bucket/);
});
