/** Which items of two lists belong together. Pure. */
import { isRecord } from '../json.ts';

/** Lists whose order says nothing, by name. */
const sets: ReadonlySet<string> = new Set([
  ...['users', 'invalid_user_ids', 'user_aliases', 'custom_events', 'purchases', 'apps', 'devices'],
  ...['push_tokens', 'subscription_groups', 'campaigns_received', 'canvases_received', 'cards_clicked'],
  ...['steps_received', 'tags', 'errors', 'invalid_external_ids'],
]);

export const isSet = (name: string): boolean => sets.has(name);

/** Members that tell one item from the others, the strongest first. */
const labels = [
  ...['external_id', 'input_array', 'index', 'token', 'device_id', 'alias_label', 'alias_name', 'app'],
  ...['api_campaign_id', 'api_canvas_id', 'api_canvas_step_id', 'id', 'name', 'platform', 'email', 'phone'],
];

const labelOf = (item: unknown): string => {
  if (Array.isArray(item)) return `[${item.slice(0, 2).filter((part) => typeof part !== 'object')}]`;
  if (!isRecord(item)) return JSON.stringify(item) ?? '';
  return JSON.stringify(labels.map((name) => (typeof item[name] === 'object' ? null : (item[name] ?? null))));
};

export const inOrderOfLabels = (items: readonly unknown[]): unknown[] =>
  items
    .map((item) => ({ item, label: labelOf(item) }))
    .sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0))
    .map(({ item }) => item);
