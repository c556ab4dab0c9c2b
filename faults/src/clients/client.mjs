// <url> <how often> <bytes> [header: value]...: what two clients of Node read, one line each: client, status, body.
import { request } from 'node:http';

const [url, times, size, ...lines] = process.argv.slice(2);
const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
const body = Buffer.alloc(Number(size), ' ');

const byFetch = async () => {
  const response = await fetch(url, { method: 'POST', body, headers });
  return `${response.status}\t${await response.text()}`;
};

const byHttp = () =>
  new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (data) => {
        text += data;
      });
      response.on('end', () => resolve(`${response.statusCode}\t${text}`));
      response.on('error', reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });

for (const [name, call] of [
  ['node fetch', byFetch],
  ['node http', byHttp],
])
  for (let i = 0; i < Number(times); i++)
    console.log(
      `${name}\t${await call().catch((error) => `${error.cause?.code ?? error.code ?? error.message}\t`)}`,
    );
