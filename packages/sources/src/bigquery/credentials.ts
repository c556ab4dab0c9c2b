/** The key of a service account, and nothing else: other kinds of credentials name files, hosts or commands that a library would follow. */
import { createPrivateKey } from 'node:crypto';
import { SourceError } from '../source-error.ts';

export interface ServiceAccount {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id?: string;
  readonly project: string;
}

const bad = (says: string): SourceError =>
  new SourceError('bad_settings', `the credential of BigQuery ${says}`);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw bad('is no JSON: it must be the key file of a service account');
  }
};

const member = (value: unknown, name: string): string => {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof text === 'string' ? text : '';
};

const assertKey = (key: string): void => {
  try {
    createPrivateKey(key);
  } catch {
    throw bad('has a private_key that is no key in PEM');
  }
};

export const readServiceAccount = (text: string): ServiceAccount => {
  const value = parsed(text);
  if (member(value, 'type') !== 'service_account') throw bad('must be the key file of a service account');
  const [client_email, private_key] = [member(value, 'client_email'), member(value, 'private_key')];
  if (!client_email) throw bad('has no client_email');
  assertKey(private_key);
  const id = member(value, 'private_key_id');
  return {
    client_email,
    private_key,
    ...(id && { private_key_id: id }),
    project: member(value, 'project_id'),
  };
};
