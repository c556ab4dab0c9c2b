/** Limits that belong to no single field, and known limits of such services that are not enforced here. */
import { deepestBody, deepestEntry, parsing, parsingLimit } from '../body-shape.ts';
import { page, table } from './markdown.ts';

const figure = (value: number): string => value.toLocaleString('en-US');

const { shape, crowd, text, container, value } = parsing;

const ofParsing: [string, string, string] = [
  'Body: work to parse it, estimated from counts',
  `${parsingLimit.us} us and ${parsingLimit.usPerKilobyte} for each KB, ${figure(parsingLimit.most)} in all. A name that is not the next one of a known sequence of names counts ${shape.us}, a different text of at most ten bytes ${text.us}, an object or array ${container.us} (${container.afterManyShapes} beside more than 1,000 such sequences), a member of an object with 128 members and more ${crowd.us}, any value ${value.us}`,
  '400 `BODY_TOO_COMPLEX`, before the body is parsed.',
];

const enforced: readonly (readonly [string, string, string])[] = [
  ofParsing,
  [
    'Body: levels of objects and arrays inside each other',
    figure(deepestEntry),
    `The entry that is deeper is refused, \`ENTRY_TOO_DEEP\`; the whole body where there are no entries, or beyond ${figure(deepestBody)} levels: 400 \`BODY_TOO_DEEP\`.`,
  ],
  ['Body: time to arrive', '10 seconds, and one more for each 512 KB', '408 `BODY_TOO_SLOW`.'],
  [
    'Size of a profile',
    '1 MiB, by the setting `track.max_profile_bytes` 64 KiB to 3 MiB',
    'What would make it larger is not taken: `profile_full` in the outcome, of the entry or of an attribute or list. Fields, consent and whatever makes it smaller are taken all the same. Two people who would be larger together are not merged.',
  ],
  [
    'Items of a list (`devices`, `push_tokens`, `apps`, ...)',
    '2,500',
    'The oldest go: `list_full` in the outcome. After a merge too.',
  ],
  [
    'Aliases, deprecated external ids and merged-in people of one person',
    '500, 500 and 5,000',
    'Nothing happens: `too_many_aliases` or `too_many_ids` in the outcome.',
  ],
  [
    'Profiles that one request loads',
    '8 MiB; of a profile above 16 KiB, attributes that the request does not name count an eighth; 20 MiB in all',
    'Entries about the people beyond it are ignored: `too_much_to_load` in the outcome. Send fewer people in a request. `alias/new`, `alias/update`, `delete`, `rename`, `remove` and subscriptions load neither attributes nor lists.',
  ],
  [
    'Work of the steps of one request (`add`, `remove`, `$add`, `$update`, `$remove`, merged objects)',
    '3 MiB: the size of each array or object that is changed, and 16 bytes for each member that is gone through; 2 MiB in one step',
    'The attribute stays as it is: `too_much_work` in the outcome. Send fewer steps about large arrays in a request.',
  ],
  [
    'People who share an email or phone',
    '1,000',
    'The person with the latest change, event or purchase is meant: among those with an external id, if there are any. Of more, those that were changed last compete: 1,000, or at least 100 where a batch names very many such emails or phones. Of more than 20,000, only 20,000 are looked at.',
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
