/** People who open an address of the interface in a browser get what it answers as a page. */
import type { IncomingMessage } from 'node:http';
import { escapeHtml, operatorPage, operatorPolicy } from '@roster/runtime';
import type { CallerAnswer } from './answer.ts';

/** By hand: a browser asks for pages, and a person has no header to put a key into. */
const isByHand = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  (headers.accept?.includes('text/html') ?? false);

const titles: { readonly [status: number]: string } = {
  200: 'Ready',
  401: 'This address is for programs',
  404: 'There is nothing at this address',
  405: 'This address is for programs',
  503: 'Not ready',
};

const advice: { readonly [status: number]: string } = {
  401: 'It answers to a key, which a browser does not send. The docs have a form for every operation, to try it out with your key.',
  405: 'It takes no GET, and a browser sends one. The docs have a form for every operation, to try it out with your key.',
};

const paragraph = (text: string | undefined): string => (text ? `<p>${escapeHtml(text)}</p>` : '');

/** Of errors, also in the dialect of SCIM, and of the health. */
interface Told {
  message?: string;
  detail?: string;
  reason?: string;
}

/** `answer`: of JSON. */
export const pageInstead = (answer: CallerAnswer, request: IncomingMessage): CallerAnswer => {
  if (!isByHand(request)) return answer;
  const { status } = answer;
  const { message, detail, reason }: Told = JSON.parse(answer.body);
  const main = `${paragraph(message ?? detail ?? reason)}${paragraph(advice[status])}
<nav><a href="/">Start page</a><a href="/docs">Docs</a></nav>`;
  return {
    status,
    body: operatorPage(titles[status] ?? 'This did not work', main),
    headers: {
      ...answer.headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': operatorPolicy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  };
};
