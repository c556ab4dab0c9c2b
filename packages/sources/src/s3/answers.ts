/** What a server that speaks S3 answers, and what is wrong in words. */
import type { Answer } from '../http/exchange.ts';
import { inWords, isErrorCode, SourceError, type Words } from '../source-error.ts';
import type { Address } from './address.ts';
import { readXml } from './xml.ts';

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
  const xml = readXml(body);
  const error = xml?.root === 'Error' ? xml.members : undefined;
  const code = error?.get('Code') ?? '';
  const [told = ''] = [headers['x-amz-bucket-region'] ?? error?.get('Region')].flat();
  const region = /^[a-z]{2}(?:-[a-z]{2,12}){0,3}-\d{1,2}$/.test(told) ? told : '';
  const words = byCode[code] ?? byStatus[status];
  if (words) return inWords(words, { ...address, region });
  // A proxy before the server says with a page of its own that the server is away for a moment.
  if (!code && status < 500)
    return new SourceError('not_this_protocol', `what answers at ${address.at} is no S3 (HTTP ${status})`);
  const shown = isErrorCode(code) ? ` ${code}` : '';
  return new SourceError('server_error', `${address.at} answers with error${shown} (HTTP ${status})`);
};

const decoded = (key: string, { at }: Address): string => {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    throw new SourceError('not_this_protocol', `${at} names an object in a way that is no URL`);
  }
};

/** `next`: where the next page begins. */
export const readList = (answer: Answer, address: Address) => {
  const xml = readXml(answer.body);
  if (xml?.root !== 'ListBucketResult') throw toSourceError({ ...answer, body: Buffer.alloc(0) }, address);
  const { members, contents } = xml;
  const isEncoded = members.get('EncodingType') === 'url';
  const objects = contents.map((one) => {
    const key = one.get('Key') ?? '';
    return {
      key: isEncoded ? decoded(key, address) : key,
      bytes: Number(one.get('Size')),
      changed: one.get('LastModified') ?? '',
      tag: one.get('ETag') ?? '',
    };
  });
  const isTruncated = members.get('IsTruncated') === 'true';
  return { objects, next: (isTruncated && members.get('NextContinuationToken')) || undefined };
};
