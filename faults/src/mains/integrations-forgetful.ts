// Sends requests that were saved by a process before under stamps of their own: nobody can tell that they were sent already.
import { startIntegrations } from '@roster/integrations-service';
import { run } from '@roster/runtime';

type Replacements = NonNullable<Parameters<typeof startIntegrations>[1]>;

const jobs = { leaseMs: 3_000, firstPauseMs: 200, mostTries: 100 };

const forgetful: NonNullable<Replacements['sender']> = (sender) => ({
  ...sender,
  async again(chunk, assertHeld) {
    const anew = { ...chunk, at: await sender.stamp() };
    await sender.send(anew, assertHeld);
    return anew;
  },
});

await run('integrations', (context) => startIntegrations(context, { jobs, sender: forgetful }));
