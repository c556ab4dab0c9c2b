/** What a provider tells by itself: what became of a message, and what people answer. */
import { present, sendReason, withoutSecrets } from '@roster/contract';
import { allAt, parsedJson, textAt } from '../json.ts';
import type { Why } from '../outgoing.ts';
import { providerSecrets } from '../secrets.ts';
import { type Provider, providerIn } from './provider.ts';

export interface ProviderCall {
  contentType: string;
  body: string;
}

export interface PhoneReport extends Partial<Why> {
  /** The `{id}` of the message, where the report names it. */
  message?: string;
  state: 'sent' | 'refused';
  /** The number of a person who wants no more messages, as the provider writes it; empty where the report does not say it. */
  optedOut?: string;
}

export interface PhoneAnswer {
  /** As the provider writes it. */
  from: string;
  text: string;
  /** The same when it is told again. */
  id?: string;
  /** What people get who ask for help. */
  help?: string;
}

const fieldsOf = ({ contentType, body }: ProviderCall): unknown =>
  contentType.toLowerCase().startsWith('application/json')
    ? parsedJson(body)
    : Object.fromEntries(new URLSearchParams(body));

/** What a call tells: one thing, or several in the places of `each`. */
const partsOf = (call: ProviderCall, each: string | undefined): unknown[] => {
  const fields = fieldsOf(call);
  return each === undefined ? [fields] : allAt(each, fields);
};

type ReportPaths = NonNullable<Provider['report']>;

/** `undefined`: it says nothing that is known, as that the message is under way. */
const resultIn = (
  { paths, codes }: { paths: ReportPaths; codes: readonly string[] },
  fields: unknown,
  secrets: readonly string[],
): Omit<PhoneReport, 'message'> | undefined => {
  const state = textAt(paths.state, fields);
  if (state === undefined) return undefined;
  if (paths.delivered.includes(state)) return { state: 'sent' };
  if (!paths.failed.includes(state)) return undefined;
  const told = textAt(paths.reason, fields);
  const isOptedOut = codes.includes(textAt(paths.code ?? paths.reason, fields) ?? '');
  const words = [state, told].filter((one) => one !== undefined).join(': ');
  return {
    state: 'refused',
    reason: sendReason('not_delivered', Number(told)),
    words: withoutSecrets(words, secrets),
    ...(isOptedOut && { optedOut: textAt(paths.to, fields) ?? '' }),
  };
};

export const reportsIn = (provider: string, call: ProviderCall): PhoneReport[] => {
  const { report, opted_out } = providerIn(provider);
  if (!report) return [];
  const said = { paths: report, codes: opted_out?.codes ?? [] };
  const secrets = providerSecrets(provider);
  return partsOf(call, report.each).flatMap((fields) => {
    const result = resultIn(said, fields, secrets);
    return result ? [{ ...present({ message: textAt(report.message, fields) }), ...result }] : [];
  });
};

export const phoneAnswersIn = (provider: string, call: ProviderCall): PhoneAnswer[] => {
  const { answer } = providerIn(provider);
  if (!answer) return [];
  return partsOf(call, answer.each).flatMap((fields) => {
    const [from, text] = [textAt(answer.from, fields), textAt(answer.text, fields)];
    if (from === undefined || text === undefined) return [];
    return [{ from, text, ...present({ id: textAt(answer.id, fields), help: answer.help }) }];
  });
};
