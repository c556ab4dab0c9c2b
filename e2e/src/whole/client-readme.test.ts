/** The examples of the client's page, one after the other, against the services as they run. */
import * as client from '@roster/client';
import { exampleModule, saidByExamples } from '../client/examples.ts';
import { useWorkspace } from '../shared.ts';

const system = useWorkspace('client-readme');

it('its examples say what they should', async () => {
  const module = { exports: {} as { play(place: object): Promise<unknown> } };
  new Function('module', 'require', exampleModule('cjs'))(module, () => client);
  expect(await module.exports.play({ url: system.base, key: system.key })).toEqual(saidByExamples);
});
