/** The places in a page that a link can lead to: named ones, and those that GitHub makes of headings. */
export const anchorsIn = (text) => [
  ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name]) => name),
  ...[...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  ),
];
