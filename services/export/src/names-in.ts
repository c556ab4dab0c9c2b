/** The people that an export names. */
import type { ExportRequest } from '@roster/contract';
import { identityKey } from '@roster/profile';
import type { Breath, Moment } from '@roster/store';
import type { AnswerRoom } from './answer-room.ts';

export interface Look {
  ws: string;
  body: ExportRequest;
  projection: Record<string, 1>;
  moment: Moment;
  breath: Breath;
  room: AnswerRoom;
}

export interface Named {
  asked: string;
  key: string;
}

export const namesIn = (ws: string, { external_ids = [], user_aliases = [] }: ExportRequest): Named[] => [
  ...external_ids.map((id) => ({ asked: id, key: identityKey(ws, { by: 'external_id', id }) })),
  ...user_aliases.map(({ alias_label, alias_name }) => ({
    asked: alias_name,
    key: identityKey(ws, { by: 'user_alias', label: alias_label, name: alias_name }),
  })),
];
