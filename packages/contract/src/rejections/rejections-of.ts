/** The rejections that an operation has without saying so, beside its own. */
import type { OperationOf } from '../operation.ts';
import type { RejectionCode } from './rejections.ts';

const withKey: RejectionCode[] = ['API_KEY_INVALID', 'ACCESS_DENIED'];
const withScimToken: RejectionCode[] = ['SCIM_TOKEN_INVALID'];
const everywhere: RejectionCode[] = [
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'RATE_LIMITED',
  'REQUEST_TOO_COSTLY',
  'WORK_LIMITED',
  'SHARE_IN_FLIGHT',
  'INTERNAL',
  'OVERLOADED',
  'UNAVAILABLE',
];
const withBody: RejectionCode[] = [
  'BODY_NOT_JSON',
  'BODY_TOO_DEEP',
  'BODY_TOO_COMPLEX',
  'BODY_INVALID',
  'BODY_TOO_SLOW',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
];
const withParameters: RejectionCode[] = ['PARAMETER_INVALID'];
const written: RejectionCode[] = ['HEADER_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEYS_FULL'];

/** Every way in which the operation can fail as a whole. */
export function rejectionsOf({ kind, request, rejections, auth }: OperationOf<string>): RejectionCode[] {
  return [
    ...(request.body ? withBody : []),
    ...(request.params || request.query ? withParameters : []),
    ...(kind === 'write' ? written : []),
    ...rejections,
    ...(auth === 'scim' ? withScimToken : withKey),
    ...everywhere,
  ];
}
