/** How often `getaddrinfo` is called, which takes one of the four threads of libuv until the name server answers. */
import { createHook } from 'node:async_hooks';

export const countSystemLookups = () => {
  let count = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'GETADDRINFOREQWRAP') count += 1;
    },
  }).enable();
  return {
    count: (): number => count,
    end(): void {
      hook.disable();
    },
  };
};
