/** `{% form_field_name :email_global_state %}` and `{% form_field_name :subscription_group <id> %}`: the name of a field in the form of a preference center. */
import {
  type Context,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  Value,
} from 'liquidjs';

/** The field of all emails. */
export const emailField = 'email_global_state';

export const groupField = (id: string): string => `group.${id}`;

const argument = /^:(?:email_global_state|subscription_group\s+["']?([A-Za-z0-9_-]{1,64})["']?)$/;

export class FormFieldName extends Tag {
  readonly field: string;
  readonly group: string | undefined;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const found = argument.exec(token.args.trim());
    if (!found) throw new Error('form_field_name takes :email_global_state or :subscription_group <id>');
    const [, group] = found;
    this.group = group;
    this.field = group === undefined ? emailField : groupField(group);
  }

  /** For the check of a template: the field names the state that it changes. */
  *arguments(): Generator<Value> {
    if (this.group !== undefined) yield new Value(`subscribed_state["${this.group}"]`, this.liquid);
  }

  render(_context: Context, emitter: Emitter): void {
    emitter.write(this.field);
  }
}
