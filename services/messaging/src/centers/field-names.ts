/**
 * `{% form_field_name :email_global_state %}` and `{% form_field_name :subscription_group <id> %}` stand for the name of a field. No variable
 * changes it, so it is put into the template before it is rendered.
 */
import { emailField, groupField } from '../pages/form.ts';

const tag =
  /\{%-?\s*form_field_name\s+:(?:(email_global_state)|subscription_group\s+["']?([A-Za-z0-9_-]{1,64})["']?)\s*-?%\}/g;

export const withFieldNames = (html: string): string =>
  html.replace(tag, (_tag, emails?: string, group?: string) =>
    emails === undefined ? groupField(group ?? '') : emailField,
  );

/** For a check: lines and columns stay as they were written. */
export const withoutFieldNames = (html: string): string =>
  html.replace(tag, (all) => all.replace(/\S/g, '-'));
