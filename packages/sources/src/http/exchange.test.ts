import type { ServerResponse } from 'node:http';
import { usePeer } from '@roster/testkit';
import { endpointOf, exchangeJson } from './exchange.ts';

it.each<[string, 'verify' | 'encrypt' | 'off' | undefined]>([
  ['https://warehouse.example.com', undefined],
  ['http://warehouse.example.com:8080', 'off'],
  ['http://127.0.0.1:9000', undefined],
  ['http://[::1]:9000', 'verify'],
  ['http://localhost:9000', undefined],
])('%s with tls %s is asked', (text, mode) => {
  expect(endpointOf(text, mode && { mode }).host).toBe(new URL(text).host);
});

it.each<[string, 'verify' | 'encrypt' | undefined]>([
  ['http://warehouse.example.com', undefined],
  ['http://warehouse.example.com', 'encrypt'],
  ['http://10.0.0.7:9000', 'verify'],
  ['http://localhost.example.com', undefined],
  ['http://127.0.0.1.example.com', undefined],
])('%s with tls %s gets nothing in clear', (text, mode) => {
  expect(() => endpointOf(text, mode && { mode })).toThrow('needs tls: "off"');
});

it.each(['ftp://h', 'https://h/path', 'https://h?a=b', 'https://user@h', 'x'])(
  '%s is no endpoint',
  (text) => {
    expect(() => endpointOf(text, undefined)).toThrow('must look like https://host:port');
  },
);

describe('an answer', () => {
  const peer = usePeer();
  const asked = (answer: (response: ServerResponse) => void, mostValues?: number) => {
    peer.answer = (_, response) => answer(response);
    const limits = { questionMs: 60_000, silenceMs: 60_000 };
    const { signal } = new AbortController();
    const question = {
      url: new URL(peer.url),
      headers: {},
      tls: undefined,
      mostBytes: 8_388_608,
      limits,
      signal,
    };
    return exchangeJson(question, mostValues);
  };
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  /** Of so many texts, each a chunk of its own, as a list. */
  const inChunks = (texts: readonly string[]) => (response: ServerResponse) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    response.socket?.end(`${texts.map(chunk).join('')}0\r\n\r\n`);
  };

  it('is read whole, in many small chunks too', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `"${String(n).padStart(64, '0')}"`);
    const { value } = await asked(inChunks([`[${rows[0]}`, ...rows.slice(1).map((row) => `,${row}`), ']']));
    expect(value).toHaveLength(rows.length);
  });

  it('with a chunk for each of its bytes is given up', async () => {
    const answer = inChunks(['[', ...Array.from({ length: 500_000 }, () => ' '), ']']);
    await expect(asked(answer)).rejects.toThrow('sends more than it was asked for');
  });

  it.each(['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', ''])(
    'that is %j is given up at once',
    async (head) => {
      await expect(asked((response) => void response.socket?.end(head))).rejects.toThrow(
        /another protocol|was lost/,
      );
    },
  );

  it('with more bytes than was asked for is given up', async () => {
    const answer = (response: ServerResponse) => void response.end(' '.repeat(8_388_609));
    await expect(asked(answer)).rejects.toThrow('sends more than it was asked for');
  });

  it('with more values than its parts have is not parsed', async () => {
    const lists = (count: number) => (response: ServerResponse) =>
      void response.end(`[${Array(count).fill('[]').join(',')}]`);
    expect((await asked(lists(50), 100)).value).toHaveLength(50);
    await expect(asked(lists(51), 100)).rejects.toThrow('sends more than it was asked for');
    await expect(asked(lists(2_500_000))).rejects.toThrow('sends more than it was asked for');
  });
});
