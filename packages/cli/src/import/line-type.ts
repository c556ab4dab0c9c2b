/** The kind of a line of NDJSON. */
import { isRecord, type JsonObject } from '../json.ts';
import { arrays } from './row.ts';

/** The values of `type`, in a line or in `--type`; a line may also be an `alias`. */
export const lineTypes = ['attributes', 'event', 'purchase', 'user'] as const;
export type LineType = (typeof lineTypes)[number];

export const isLineType = (value: unknown): value is LineType => lineTypes.some((type) => type === value);

export const aliasType = 'alias';

/** Whether a member `type` tells the kind of the line. */
export const saysWhatItIs = (type: unknown): boolean => isLineType(type) || type === aliasType;

const identifiers = ['external_id', 'user_alias', 'service_id', 'email', 'phone'] as const;

const namesPerson = (line: JsonObject): boolean => identifiers.some((name) => line[name] != null);

/** `{"attributes": [...], "names": [...]}`, as `roster export` has them, or the answer of an export. */
const isBody = (line: JsonObject): boolean =>
  !namesPerson(line) && [...arrays, 'users'].some((name) => Array.isArray(line[name]));

/** Members that only exported users have: no attribute entry can hold a service id beside a random bucket. */
const isExportedUser = ({
  custom_attributes,
  user_aliases,
  service_id,
  random_bucket,
}: JsonObject): boolean =>
  isRecord(custom_attributes) || Array.isArray(user_aliases) || (service_id != null && random_bucket != null);

export const kindOf = (line: JsonObject): LineType | 'body' => {
  if (isBody(line)) return 'body';
  if (isExportedUser(line)) return 'user';
  if (line.name != null && line.time != null) return 'event';
  return line.product_id != null ? 'purchase' : 'attributes';
};
