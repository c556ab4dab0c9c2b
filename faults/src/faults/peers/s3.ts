// Buckets that misbehave: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
import type { Socket } from 'node:net';
import { type Behave, drip, inTurn, last, onceAsked, silent } from './behave.ts';
import { http } from './http.ts';

const withBody = (body: string, ...lines: readonly string[]): string =>
  ['HTTP/1.1 200 OK', `content-length: ${Buffer.byteLength(body)}`, ...lines, '', body].join('\r\n');

const listOf = (inside: string): string => `<ListBucketResult>${inside}</ListBucketResult>`;

const object = (key: string, bytes: number): string =>
  `<Contents><Key>${key}.ndjson</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>"x"</ETag><Size>${bytes}</Size></Contents>`;

/** A list, and what stands in its objects. */
const bucket =
  (list: () => string, part: (socket: Socket) => void): Behave =>
  (socket) => {
    socket.once('data', (asked) => {
      if (asked.toString('latin1').includes('list-type=2')) socket.end(withBody(list()));
      else part(socket);
    });
  };

let pages = 0;
/** Each page says that there is another one. */
const andMore = (inside: string): string => {
  pages += 1;
  return listOf(
    `${inside}<IsTruncated>true</IsTruncated><NextContinuationToken>${pages}</NextContinuationToken>`,
  );
};

/** As many as an answer may have bytes, each with another name. */
const tags = (): string => {
  const all: string[] = [];
  for (let n = 0, bytes = 0; bytes < 8_000_000; n += 1) {
    const tag = `<t${n.toString(36)}/>`;
    all.push(tag);
    bytes += tag.length;
  }
  return listOf(all.join(''));
};
let manyTags: string | undefined;

const oneObject = (bytes: number) => () => listOf(object('a', bytes));

export const s3 = {
  silent,
  endless: inTurn(http.endless, bucket(oneObject(1_000_000_000), http.endless)),
  'pages without end': bucket(() => andMore(''), silent),
  'names without end': bucket(
    () => andMore(Array.from({ length: 1_000 }, (_, n) => object(`${pages}-${n}`, 1)).join('')),
    silent,
  ),
  'as many tags as it has bytes': bucket(() => (manyTags ??= tags()), silent),
  slow: onceAsked((socket) => drip(socket, withBody(oneObject(1)()))),
  lying: inTurn(
    http.lying,
    bucket(oneObject(8_000_000), last(withBody('less'))),
    bucket(oneObject(4), last(withBody('more than that'))),
    bucket(oneObject(-1), last(withBody(''))),
    bucket(oneObject(Number.NaN), last(withBody(''))),
    bucket(() => '<html><body>no list</body></html>', silent),
    bucket(() => listOf(object('&x;%zz', 4)), silent),
    bucket(oneObject(8), last(withBody('{{{{{{{{'))),
  ),
} as const satisfies Record<string, Behave>;
