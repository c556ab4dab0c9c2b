/** A fetch for one call at a time. It keeps the last answer as it was written; the client gets its head, and an empty object. */

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** `undefined`: larger than any answer of Roster. */
  text: string | undefined;
}

/** Leaves the answer beyond so many bytes. */
const textOf = async (response: Response, bytesMax: number): Promise<string | undefined> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > bytesMax) return undefined;
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};

const withoutBody = [204, 205, 304];

export const tellingFetch = (bytesMax: number) => {
  let last: Answer | undefined;
  return {
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const response = await fetch(url, { ...init, redirect: 'manual' });
      const { status, headers } = response;
      last = { status, headers: Object.fromEntries(headers), text: await textOf(response, bytesMax) };
      return new Response(withoutBody.includes(status) ? null : '{}', { status, headers });
    },
    last(): Answer {
      if (!last) throw new Error('there was no answer');
      return last;
    },
  };
};
