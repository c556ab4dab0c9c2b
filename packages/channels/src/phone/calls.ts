/** What a provider tells by itself: what became of a message, and what people answer. */
import { parsedJson, textAt } from '../json.ts';
import { providerIn } from './provider.ts';

export interface ProviderCall {
  contentType: string;
  body: string;
}

export interface Report {
  state: 'sent' | 'refused';
  /** In the words of the provider. */
  reason?: string;
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

const longestReason = 100;

/** `undefined`: it says nothing that is known, as that the message is under way. */
export const reportIn = (provider: string, call: ProviderCall): Report | undefined => {
  const { report } = providerIn(provider);
  if (!report) return undefined;
  const fields = fieldsOf(call);
  const state = textAt(report.state, fields);
  if (state === undefined) return undefined;
  if (report.delivered.includes(state)) return { state: 'sent' };
  if (!report.failed.includes(state)) return undefined;
  const why = report.reason === undefined ? undefined : textAt(report.reason, fields);
  const reason = [state, why].filter((one) => one !== undefined).join(': ');
  return { state: 'refused', reason: `the provider reported ${reason.slice(0, longestReason)}` };
};

export const phoneAnswerIn = (provider: string, call: ProviderCall): PhoneAnswer | undefined => {
  const { answer } = providerIn(provider);
  if (!answer) return undefined;
  const fields = fieldsOf(call);
  const [from, text] = [textAt(answer.from, fields), textAt(answer.text, fields)];
  const id = answer.id === undefined ? undefined : textAt(answer.id, fields);
  if (from === undefined || text === undefined) return undefined;
  return {
    from,
    text,
    ...(id !== undefined && { id }),
    ...(answer.help !== undefined && { help: answer.help }),
  };
};
