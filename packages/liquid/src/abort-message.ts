/** `{% abort_message("no orders") %}`: nothing is sent to this person, and the reason stands beside it. */
import { type Liquid, Tag, type TagToken, type TopLevelToken } from 'liquidjs';
import { LiquidFault } from './fault.ts';

const argument = /^(?:\(\s*(?:"([^"]{0,200})"|'([^']{0,200})')?\s*\))?$/;

export class AbortMessage extends Tag {
  readonly reason: string;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const found = argument.exec(token.args.trim());
    if (!found) throw new Error('abort_message takes a reason in quotes and brackets, or nothing');
    this.reason = found[1] ?? found[2] ?? '';
  }

  render(): void {
    throw new LiquidFault({ kind: 'aborted', reason: this.reason });
  }
}
