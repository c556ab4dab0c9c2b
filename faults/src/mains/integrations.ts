import { startIntegrations } from '@roster/integrations-service';
import { withCulprits } from './parts/culprits.ts';
import { runVariant } from './parts/variant.ts';

type Replacements = NonNullable<Parameters<typeof startIntegrations>[1]>;

/** A job whose process died is taken over after seconds instead of twenty, so that a trial need not wait for it. */
const jobs = { leaseMs: 3_000, firstPauseMs: 200, mostTries: 100 };

const forgetfulSender: NonNullable<Replacements['sender']> = (sender) => ({
  ...sender,
  async again(chunk, assertHeld) {
    const anew = { ...chunk, at: await sender.stamp() };
    await sender.send(anew, assertHeld);
    return anew;
  },
});

await runVariant('integrations', {
  culprits: (context) => startIntegrations(context, { batchWorker: withCulprits }),
  /** Sends requests that were saved by a process before under stamps of their own: nobody can tell that they were sent already. */
  forgetful: (context) => startIntegrations(context, { jobs, sender: forgetfulSender }),
  impatient: (context) => startIntegrations(context, { jobs }),
});
