/** docs/errors.md: every code that an operation of the table can answer with. */
import {
  deadLetterCodes,
  entryErrors,
  type OperationOf,
  rejections,
  rejectionsOf,
  sendReasons,
} from '@roster/contract';
import { bodyLimitsOf } from './body-limits.ts';
import { code, generated, json, page, table } from './markdown.ts';

export function errorsPage(operations: readonly OperationOf<string>[]): string {
  return page([
    generated,
    '# Errors',
    'A request that fails as a whole is answered with its status, a `message` and a `code`. The code stands in the header `X-Roster-Error` too, and in logs and metrics; the header `X-Roster-Remedy` says what to do, and `X-Roster-Retry` (`true` or `false`) whether the same request, under the same `Idempotency-Key`, may be taken later. Codes are stable; sentences may be reworded. Two bodies have no code, because clients know them word for word: those of SCIM (RFC 7644), and that of a live activity whose body is not JSON.',
    '## Requests that fail as a whole',
    rejectionsTable(operations),
    '## Entries that are refused',
    'Entries of `/users/track` and of the operations on identity are judged one by one. A refused entry changes nothing and stands in `errors`; the others go through and the status is 201. When none is left, `/users/track`, `/users/track/sync` and `/users/track/bulk` answer 400 (`NO_VALID_DATA`); the operations on identity answer 201 and count 0. ' +
      'Codes are stable; sentences may be reworded. Only the first cause of an entry is told. In the outcome of the request the entry is `refused` with the code as its reason.',
    json({
      type: "'quantity' is not valid",
      code: 'QUANTITY_INVALID',
      input_array: 'purchases',
      index: 3,
    }),
    entryErrorsTable(operations),
    '## Requests that were accepted and can not be applied',
    'Their outcome is `failed`, with `<code>: <reason>`; they wait as dead letters until an operator retries or drops them ([runbook](runbook.md#there-are-dead-letters)). ' +
      'A request that takes its worker down is found within 30 s. Any other code is an error of the database or of a rule. Reads and SCIM requests are answered with 500 or 503 instead: no worker tries them again later.',
    deadLettersTable(),
    '## Messages that did not arrive',
    'The `reason` of a recipient, and of a device of a live activity, is one of these codes, with the number of the provider in brackets where it gave one: `credentials_refused (401)`. When all tries have failed it begins with `given up after 6 tries: `. Words of a provider are no part of it, because they may repeat credentials: they are shown to operators, without credentials ([what became of a message](messaging.md#what-became-of-a-message)).',
    sendReasonsTable(),
  ]);
}

function deadLettersTable(): string {
  const rows = Object.entries(deadLetterCodes).map(([name, { reason, when }]) => [code(name), reason, when]);
  return table(['Code', 'Reason', 'When'], rows);
}

function sendReasonsTable(): string {
  const rows = Object.entries(sendReasons).map(([name, { when, remedy }]) => [code(name), when, remedy]);
  return table(['Code', 'When', 'What to do'], rows);
}

function rejectionsTable(operations: readonly OperationOf<string>[]): string {
  const used = new Set<string>(['URL_INVALID', ...operations.flatMap(rejectionsOf)]);
  const rows = Object.entries(rejections)
    .filter(([name]) => used.has(name))
    .map(([name, { status, message, description, remedy }]) => [
      code(name),
      String(status),
      message,
      name === 'BODY_TOO_LARGE' ? bodyLimitsOf(operations) : description,
      remedy,
    ]);
  return table(['Code', 'Status', 'Sentence', 'When', 'What to do'], rows);
}

function entryErrorsTable(operations: readonly OperationOf<string>[]): string {
  const kinds = operations.flatMap(({ entries = [] }) => entries);
  const rows = Object.entries(entryErrors).flatMap(([name, { message, description, remedy }]) => {
    const arrays = kinds
      .filter(({ errors }) => errors.some((error) => error === name))
      .map(({ array }) => array);
    const places = [...new Set(arrays)].join(', ');
    return places === '' ? [] : [[code(name), escaped(message), places, description, remedy]];
  });
  return table(['Code', 'Sentence', 'Of', 'When', 'What to do'], rows);
}

/** `<place>` is no HTML. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
