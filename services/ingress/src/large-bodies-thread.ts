/** Runs as a thread of its own: see large-bodies.ts. */
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { isRejection, operationById, present } from '@roster/contract';
import { createJudge } from '@roster/judge';
import { begun, type FromThread, type SentQuestion, type ToThread } from './large-bodies.ts';
import { createUnderstand } from './understand.ts';

// On Linux this is the priority of the thread that asks: small requests come first.
setPriority(constants.priority.PRIORITY_LOW);

const { understand } = createUnderstand(createJudge());

/** Those that are counted, until they are judged. */
const bodies = new Map<number, Pick<ReturnType<typeof understand>, 'judge'>>();

/** Short bytes lie in a buffer with others: they are copied. */
const transferable = (bytes: Uint8Array): ArrayBuffer[] =>
  bytes.buffer.byteLength > Buffer.poolSize ? [bytes.buffer as ArrayBuffer] : [];

const say = (answer: FromThread, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(answer, transfer);

const count = (id: number, { buffer, byteOffset, byteLength }: Uint8Array): void => {
  const body = understand(Buffer.from(buffer, byteOffset, byteLength));
  bodies.set(id, body);
  say({ id, shape: body.shape });
};

const judge = (id: number, { operation: name, ...question }: SentQuestion): void => {
  const [body, operation] = [bodies.get(id), operationById(name)];
  if (!body || !operation) throw new Error(`${name} of a body that is not there`);
  bodies.delete(id);
  const judged = body.judge({ ...question, operation });
  say({ id, judged }, transferable(judged.body));
};

const work = (message: ToThread): void => {
  if ('bytes' in message) count(message.id, message.bytes);
  else if ('question' in message) judge(message.id, message.question);
  else bodies.delete(message.id);
};

const wrong = (id: number, error: unknown): FromThread => {
  if (!isRejection(error))
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const { code, message, errors, faults, headers } = error;
  return { id, refused: { code, message, ...present({ errors, faults, headers }) } };
};

parentPort?.on('message', (message: ToThread) => {
  try {
    work(message);
  } catch (error) {
    say(wrong(message.id, error));
  }
});
parentPort?.postMessage(begun);
