// One exchange, of any bytes. It never throws: "no answer" is an answer that the tests must deal with.
import { type ClientRequest, type RequestOptions, request } from 'node:http';

export interface Answer {
  /** 0: none, the caller can't know whether the request was accepted. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  ms: number;
}

/** `isStale`: the server had closed the connection that was kept, and did not see the request. */
export const exchange = (
  url: URL,
  options: RequestOptions,
  timeoutMs: number,
  write: (sending: ClientRequest) => unknown,
): Promise<Answer & { isStale: boolean }> =>
  new Promise((done) => {
    const began = performance.now();
    const end = (answer: Omit<Answer, 'ms'>, isStale = false): void =>
      done({ ...answer, ms: performance.now() - began, isStale });
    const nothing = { status: 0, headers: {}, body: '' };
    const sending = request(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => end(nothing));
      response.on('end', () => end({ status, headers, body: Buffer.concat(chunks).toString() }));
    });
    sending.setTimeout(timeoutMs, () => sending.destroy(new Error('no answer in time')));
    for (const way of ['error', 'close']) sending.on(way, () => end(nothing, sending.reusedSocket));
    write(sending);
  });
