import { managerOf } from './broadcast-channels.ts';

const sandbox = 'https://api-manage-broadcast.sandbox.push.apple.com:2195';

it.each([
  [undefined, 'https://api-manage-broadcast.push.apple.com:2196'],
  ['https://api.push.apple.com:2197', 'https://api-manage-broadcast.push.apple.com:2196'],
  ['https://api.sandbox.push.apple.com', sandbox],
  ['https://api.development.push.apple.com/', sandbox],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
])('channels of %s are managed at %s', (url, manager) => {
  expect(managerOf(url)).toBe(manager);
});
