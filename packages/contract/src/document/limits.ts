/** Limits that belong to no single field, and known limits of such services that are not enforced here. */
import { page, table } from './markdown.ts';

const enforced: readonly (readonly [string, string, string])[] = [
  [
    'Size of a profile',
    '12 MB',
    'What would make it larger is not taken: `profile_full` in the outcome, of the entry or of an attribute or list. Fields, consent and whatever makes it smaller are taken all the same. Two people who would be larger together are not merged.',
  ],
  [
    'People who share an email or phone',
    '1,000',
    'Who is meant is told by the last change, event or purchase of each of them: of those with an external id, if there are any. Of more, those that were changed last compete: 1,000, or at least 100 where a batch names very many such addresses. Of more than 20,000, only 20,000 are looked at.',
  ],
  [
    'Notes in an outcome',
    '1,000',
    'The last one is `more_notes`, and `count` says how many more there were.',
  ],
];

const unenforced: readonly (readonly [string, string])[] = [
  [
    '5,000 distinct products of a workspace',
    'purchases of one more are taken: counting would cost every purchase a look at all others, and nothing here becomes slower by their number.',
  ],
  [
    'people with more than 5,000,000 sessions are blocked as dummies',
    'sessions are counted by apps on devices; Roster only keeps the number that an `apps` entry says.',
  ],
];

export function limitsSection(): string {
  return page([
    '## Limits',
    'Limits of a field stand with its shape, those of a request with its operation. Besides:',
    table(['Of', 'At most', 'Beyond it'], enforced),
    'Not enforced, though services of this kind are known for it:',
    unenforced.map(([what, why]) => `- ${what}: ${why}`).join('\n'),
  ]).trimEnd();
}
