// Processes of the bench: each is asked things over the channel of its parent and answers in order.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `roster`, the command as it is built. */
export const command = join(import.meta.dirname, '../../bundle/roster.js');

export interface Child<Question, Answer> {
  pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

type Reply<Answer> = { answer: Answer } | { error: string };

/** The parent's side. `script` is relative to dist/. */
export const startChild = <Question extends object, Answer>(script: string): Child<Question, Answer> => {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ask = async (question: Question): Promise<Answer> => {
    const gone = exited.then(() => ({ error: `${script} ended` }) satisfies Reply<Answer>);
    child.send(question);
    const reply = await Promise.race([
      once(child, 'message').then(([message]) => message as Reply<Answer>),
      gone,
    ]);
    if ('error' in reply) throw new Error(reply.error);
    return reply.answer;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { pid: child.pid ?? 0, ask, stop };
};

/** The child's side. */
export const answerParent = <Question, Answer>(respond: (question: Question) => Promise<Answer>): void => {
  process.on('message', (question: Question) => {
    respond(question).then(
      (answer) => process.send?.({ answer }),
      (error: Error) => process.send?.({ error: error.stack ?? error.message }),
    );
  });
};
