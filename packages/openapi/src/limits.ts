/** Limits that belong to no single field, and known limits of such services that are not enforced here. */
import { deepestBody, deepestEntry, parsing, parsingLimit } from '@roster/contract';
import { page, table } from './markdown.ts';

const figure = (value: number): string => value.toLocaleString('en-US');

const { shape, crowd, text, container, value } = parsing;

const ofParsing: [string, string, string] = [
  'Body: work to parse it, estimated from counts',
  `${parsingLimit.us} us and ${parsingLimit.usPerKilobyte} for each KB, ${figure(parsingLimit.most)} in all. A member name that continues no sequence of names seen before costs ${shape.us}, each distinct text of at most ten bytes ${text.us}, an object or array ${container.us} (${container.afterManyShapes} in a body with more than 1,000 such sequences), a member of an object with 128 or more members ${crowd.us}, any value ${value.us}`,
  '400 `BODY_TOO_COMPLEX`, before the body is parsed.',
];

const enforced: readonly (readonly [string, string, string])[] = [
  ofParsing,
  [
    'Body: levels of nested objects and arrays',
    figure(deepestEntry),
    `A deeper entry is refused with \`ENTRY_TOO_DEEP\`. A body without entries, or with more than ${figure(deepestBody)} levels, is refused with 400 \`BODY_TOO_DEEP\`.`,
  ],
  ['Body: time to arrive', '10 seconds, and one more for each 512 KB', '408 `BODY_TOO_SLOW`.'],
  [
    'Size of a profile',
    '1 MiB; the setting `track.max_profile_bytes` can be 64 KiB to 3 MiB',
    'A change that makes the profile larger is not applied; the outcome of the entry, attribute or list is `profile_full`. Changes of fields and consent, and changes that make it smaller, are applied. Two people whose merged profile would be larger are not merged.',
  ],
  [
    'Items of a list (`devices`, `push_tokens`, `apps`, ...)',
    '2,500',
    'The oldest items are removed, also after a merge; the outcome is `list_full`.',
  ],
  [
    'Aliases, deprecated external ids and merged-in people of one person',
    '500, 500 and 5,000',
    'The new one is not added; the outcome is `too_many_aliases` or `too_many_ids`.',
  ],
  [
    'Profiles that one request loads',
    '8 MiB, in which attributes of a profile above 16 KiB that the request does not name count an eighth; 20 MiB in all',
    'Entries about further people are ignored; the outcome is `too_much_to_load`. Send fewer people in a request. `alias/new`, `alias/update`, `delete`, `rename`, `remove` and subscriptions load neither attributes nor lists.',
  ],
  [
    'Work of the steps of one request (`add`, `remove`, `$add`, `$update`, `$remove`, merged objects)',
    '3 MiB: the size of each array or object that is changed, and 16 bytes for each member that is visited; 2 MiB in one step',
    'The attribute is not changed; the outcome is `too_much_work`. Send fewer steps for large arrays in a request.',
  ],
  [
    'People who share an email or phone',
    '1,000',
    'An entry with this email or phone is about the person with the latest change, event or purchase; people with an external id go first. If more people share it, only the 1,000 that were changed last are compared (at least 100 if a batch names very many such emails or phones). Of more than 20,000 people, only 20,000 are read.',
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
    'Roster accepts purchases of more products. Their number makes nothing slower, and counting them would slow down every purchase.',
  ],
  [
    'people with more than 5,000,000 sessions are blocked as test users',
    'apps on devices count sessions; Roster only stores the number that an `apps` entry contains.',
  ],
];

export function limitsSection(): string {
  return page([
    '## Limits',
    'The limits of a field are documented with the field, and those of a request with its operation. Further limits:',
    table(['Of', 'At most', 'Above it'], enforced),
    'Other services of this kind have these limits. Roster does not:',
    unenforced.map(([what, why]) => `- ${what}: ${why}`).join('\n'),
  ]).trimEnd();
}
