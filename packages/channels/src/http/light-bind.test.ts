import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { withLightBind } from './light-bind.ts';

const usual = AsyncResource.prototype.bind;

it('a function that is bound meanwhile runs in the scope of its resource, and has no other properties', () => {
  const storage = new AsyncLocalStorage<string>();
  const resource = storage.run('inside', () => new AsyncResource('test'));
  const bound = withLightBind(() => resource.bind((more: string) => `${storage.getStore()} ${more}`));
  expect(bound('with arguments')).toBe('inside with arguments');
  expect(Object.keys(bound)).toEqual([]);
});

it('afterwards everything is as before, also after an error', () => {
  expect(withLightBind(() => AsyncResource.prototype.bind)).not.toBe(usual);
  expect(AsyncResource.prototype.bind).toBe(usual);
  const fail = () => {
    throw new Error('no connection');
  };
  expect(() => withLightBind(fail)).toThrow('no connection');
  expect(AsyncResource.prototype.bind).toBe(usual);
});
