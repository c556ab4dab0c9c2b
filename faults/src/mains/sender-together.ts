// The interface, the pages and the sending in one process, as they once were: what holds one of them holds all.
import { startMessaging, startPages, startSender } from '@roster/messaging-service';
import { environment, loadConfig, run, serviceConfigs } from '@roster/runtime';

await run('sender', async (context) => {
  const config = loadConfig(serviceConfigs.pages, environment());
  const all = await Promise.all([
    startPages({ ...context, config }),
    startMessaging(context),
    startSender(context),
  ]);
  return {
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
});
