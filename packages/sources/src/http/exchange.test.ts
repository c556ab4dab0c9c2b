import { endpointOf } from './exchange.ts';

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
