/** The stored form of the record of an idempotency key. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export interface StoredAnswer {
  status: number;
  body: string;
}

/** The fingerprint of the body, the stamp of the first attempt, and its answer once that was given. */
export interface Remembered {
  fingerprint: string;
  at: number;
  answer?: StoredAnswer;
}

/** Shorter texts don't get smaller. */
const usualPackFrom = 200;

const head = ({ fingerprint, at }: Remembered): string => `${fingerprint} ${at.toString(36)}`;

/** One line, and behind it the answer as it went to the caller. Refused entries repeat each other: 10 KB of them are 300 bytes packed. */
export const packRemembered = (remembered: Remembered, packFrom = usualPackFrom): Buffer => {
  const { answer } = remembered;
  if (!answer) return Buffer.from(head(remembered));
  const isLong = answer.body.length > packFrom;
  const body = isLong ? deflateRawSync(answer.body) : Buffer.from(answer.body);
  return Buffer.concat([Buffer.from(`${head(remembered)} ${answer.status} ${isLong ? 'z' : 't'}\n`), body]);
};

const newline = 10;

export const unpackRemembered = (bytes: Buffer): Remembered => {
  // Written before 0020; forgotten IDEMPOTENCY_HOURS after the upgrade.
  if (bytes[0] === 0x7b) return JSON.parse(bytes.toString()) as Remembered;
  const end = bytes.indexOf(newline);
  const line = bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
  const [fingerprint = '', at = '', status, form] = line.split(' ');
  const remembered = { fingerprint, at: Number.parseInt(at, 36) };
  if (status === undefined) return remembered;
  const body = bytes.subarray(end + 1);
  const text = (form === 'z' ? inflateRawSync(body) : body).toString();
  return { ...remembered, answer: { status: Number(status), body: text } };
};
