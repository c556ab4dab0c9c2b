// Servers of HTTP/1.1 that misbehave: RFC 9110, RFC 9112.
import { type Behave, drip, flood, inTurn, last, onceAsked, silent } from './behave.ts';

const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`;

const ok = 'HTTP/1.1 200 OK';
const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;

/** What is said first, and then what has no end. */
const without = (first: string, piece: string): Behave =>
  onceAsked((socket) => {
    socket.write(first);
    flood(socket, piece);
  });

const says = (...lines: readonly string[]): Behave => onceAsked(last(lines.join('\r\n')));

export const http = {
  silent,
  endless: inTurn(
    without(head(ok, 'transfer-encoding: chunked', ''), chunk),
    without(head(ok), 'x-more: and more\r\n'),
    without('', head('HTTP/1.1 103 Early Hints', '')),
    without('', '\r\n'),
    without(head(ok, 'transfer-encoding: chunked', '1;').trimEnd(), 'x'),
    without(head(`${ok} `).trimEnd(), 'x'),
    without(head(ok, 'content-length: 99999999999999', ''), 'x'),
  ),
  slow: onceAsked((socket) => drip(socket, head(ok, 'content-length: 1000000', 'x-more: and more', ''))),
  lying: inTurn(
    says(ok, 'content-length: 1000', '', 'less'),
    says(ok, 'content-length: 2', '', 'more than that'),
    says(ok, 'content-length: -1', '', ''),
    says(ok, 'content-length: 5', 'transfer-encoding: chunked', '', 'zzz', ''),
    says(ok, 'content-encoding: gzip', 'content-length: 4', '', 'text'),
    says(ok, 'transfer-encoding: chunked', '', 'ffffffffffffffff', 'x'),
    says('HTTP/1.1 999 What', 'content-length: 0', '', ''),
    says('HTTP/1.1 101 Switching Protocols', 'upgrade: other', 'connection: upgrade', '', ''),
    says('HTTP/1.1 307 Temporary Redirect', 'location: /', 'content-length: 0', '', ''),
    says('HTTP/1.1 429 Too Many Requests', 'retry-after: 99999999999999', 'content-length: 0', '', ''),
    says('SSH-2.0-OpenSSH_9.6', ''),
    says(ok, 'content-type: application/json', 'content-length: 11', '', '{"id":{}, [['),
    says(ok, 'content-length: 0', '', ''),
  ),
} as const;
