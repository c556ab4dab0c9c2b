/** What a server that speaks S3 answers, and what is wrong in words. */
import { XMLParser } from 'fast-xml-parser';
import type { Answer } from '../http/exchange.ts';
import { attempted, listAt, member, textAt } from '../members.ts';
import { inWords, isErrorCode, SourceError, type Words } from '../source-error.ts';
import type { Address } from './address.ts';

const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Contents',
  processEntities: true,
});

const parsed = (body: Buffer): unknown => attempted(() => parser.parse(body.toString('utf8')), undefined);

/** `region`: where the bucket is, if the answer says so. */
type Place = Address & { readonly region: string };

const otherRegion: Words<Place> = [
  'bad_settings',
  ({ bucket, region }) => `the bucket ${bucket} is in another region${region ? `: ${region}` : ''}`,
];
const refused: Words<Place> = [
  'access_denied',
  ({ at, bucket }) => `${at} does not let this key list the bucket ${bucket} and read its objects`,
];
const changed: Words<Place> = ['file_changed', () => 'an object was changed or removed while it was read'];
const busy: Words<Place> = ['server_error', ({ at }) => `${at} is too busy to answer`];

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const byCode: Readonly<Record<string, Words<Place>>> = {
  NoSuchBucket: ['database_missing', ({ at, bucket }) => `${at} has no bucket ${bucket}`],
  InvalidAccessKeyId: ['access_denied', ({ at }) => `${at} does not know the access key`],
  SignatureDoesNotMatch: [
    'access_denied',
    ({ at }) => `${at} refuses the secret key: it is not that of the access key`,
  ],
  ExpiredToken: ['access_denied', ({ at }) => `${at} says that the credentials have expired`],
  RequestTimeTooSkewed: ['access_denied', ({ at }) => `the clock here and that of ${at} differ too much`],
  AccessDenied: refused,
  AllAccessDisabled: refused,
  PermanentRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
  IllegalLocationConstraintException: otherRegion,
  NoSuchKey: changed,
  PreconditionFailed: changed,
  InvalidRange: changed,
  SlowDown: busy,
  ServiceUnavailable: busy,
  InternalError: busy,
};

const byStatus: Readonly<Record<number, Words<Place>>> = {
  301: otherRegion,
  403: refused,
  412: changed,
  429: busy,
  503: busy,
};

export const toSourceError = ({ status, headers, body }: Answer, address: Address): SourceError => {
  const error = member(parsed(body), 'Error');
  const code = textAt(error, 'Code');
  const [told = ''] = [headers['x-amz-bucket-region'] ?? textAt(error, 'Region')].flat();
  const region = /^[a-z]{2}(?:-[a-z]{2,12}){0,3}-\d{1,2}$/.test(told) ? told : '';
  const words = byCode[code] ?? byStatus[status];
  if (words) return inWords(words, { ...address, region });
  // A proxy before the server says with a page of its own that the server is away for a moment.
  if (!code && status < 500)
    return new SourceError('not_this_protocol', `what answers at ${address.at} is no S3 (HTTP ${status})`);
  const shown = isErrorCode(code) ? ` ${code}` : '';
  return new SourceError('server_error', `${address.at} answers with error${shown} (HTTP ${status})`);
};

/** Of a page: a thousand objects with thirteen members each have less than half. A parser takes seconds for millions of them, and nothing else goes on meanwhile. */
const mostTags = 64_000;

const hasTooManyTags = (body: Buffer): boolean => {
  let tags = 0;
  for (let at = body.indexOf('<'); at >= 0 && tags <= mostTags; at = body.indexOf('<', at + 1)) tags += 1;
  return tags > mostTags;
};

const decoded = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

/** `next`: where the next page begins. */
export const readList = (answer: Answer, address: Address) => {
  if (hasTooManyTags(answer.body))
    throw new SourceError('not_this_protocol', `${address.at} lists more than a page has`);
  const list = member(parsed(answer.body), 'ListBucketResult');
  if (list === undefined) throw toSourceError({ ...answer, body: Buffer.alloc(0) }, address);
  const isEncoded = textAt(list, 'EncodingType') === 'url';
  const objects = listAt(list, 'Contents').map((one) => {
    const key = textAt(one, 'Key');
    return {
      key: isEncoded ? decoded(key) : key,
      bytes: Number(textAt(one, 'Size')),
      changed: textAt(one, 'LastModified'),
      tag: textAt(one, 'ETag'),
    };
  });
  const token = textAt(list, 'NextContinuationToken');
  return { objects, next: textAt(list, 'IsTruncated') === 'true' && token ? token : undefined };
};
