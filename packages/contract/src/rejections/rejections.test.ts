import { isPermission } from '../permissions.ts';
import { errorHeadersOf } from './error-bodies.ts';
import {
  isRejection,
  isRejectionCode,
  Rejection,
  rejectionBody,
  rejections,
  rejectionWithRetry,
} from './rejections.ts';

describe('rejections', () => {
  it.each([
    ['RATE_LIMITED', 429, 'Rate Limited'],
    ['INTERNAL', 500, 'Internal Server Error'],
  ] as const)('%s is %i %s', (code, status, message) => {
    const rejection = new Rejection(code);
    expect(rejection).toMatchObject({ code, status, message });
    expect(rejectionBody(rejection)).toEqual({ message, code });
  });

  it('carry their refused entries to the wire, and their headers beside it', () => {
    const errors = [{ type: 't', code: 'C', input_array: 'events', index: 0 }];
    expect(rejectionBody(new Rejection('NO_VALID_DATA', { errors }))).toEqual({
      message: rejections.NO_VALID_DATA.message,
      code: 'NO_VALID_DATA',
      errors,
    });
    expect(rejectionWithRetry('OVERLOADED', 0.2).headers).toEqual({ 'Retry-After': '1' });
    expect(rejectionWithRetry('RATE_LIMITED', 2.1).headers).toEqual({ 'Retry-After': '3' });
  });

  it('say what to do in words that a header can hold', () => {
    const unfit = Object.entries(rejections).filter(([, { remedy }]) => !/^[\x20-\x7e]+$/.test(remedy));
    expect(unfit.map(([code]) => code)).toEqual([]);
  });

  it('say whether the same request may be taken later', () => {
    const passing = Object.entries(rejections).flatMap(([code]) =>
      isRejectionCode(code) && errorHeadersOf({ code })['X-Roster-Retry'] === 'true' ? [code] : [],
    );
    expect(passing.toSorted()).toEqual([
      'BODY_TOO_SLOW',
      'IDEMPOTENCY_KEYS_FULL',
      'INTERNAL',
      'OVERLOADED',
      'RATE_LIMITED',
      'SHARE_IN_FLIGHT',
      'SYNC_RUNNING',
      'UNAVAILABLE',
      'WORK_LIMITED',
    ]);
    expect(errorHeadersOf({ code: 'BODY_INVALID' })).toMatchObject({ 'X-Roster-Retry': 'false' });
  });

  it('are told from other errors', () => {
    expect(isRejection(new Rejection('INTERNAL'))).toBe(true);
    expect(isRejection(new Error('INTERNAL'))).toBe(false);
  });
});

describe('permissions', () => {
  it('are known by their exact names', () => {
    expect(isPermission('users.track')).toBe(true);
    expect(isPermission('users.Track')).toBe(false);
    expect(isPermission('toString')).toBe(false);
  });
});
