/** The conversation with a mail server about one email. */
import { connect, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Composed } from './compose.ts';
import { signInAs } from './sign-in.ts';

export interface ConversationOptions {
  /** `smtp://` or `smtps://`, with the name and password in it. */
  url: string;
  lookup: LookupFunction;
  /** To the server at this address only in TLS. */
  mustBeInTls(ip: string): boolean;
  /** Of each step. */
  timeoutMs: number;
  /** Of all together: a line now and then keeps a connection open for ever. */
  mostMs: number;
}

/** How far it came. */
export interface Told {
  /** The server asked for the email, and all of it was sent. */
  wasRead: boolean;
  /** Without it, the server has taken the email over. */
  error?: Error;
}

/** The library would look names up by `getaddrinfo`. */
const connected = (host: string, port: number, lookup: LookupFunction, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0).removeAllListeners('timeout');
      resolve(socket);
    });
  });

/** What a server says in a whole conversation: mostly less than 2 KB. */
const mostHeardBytes = 65_536;

/** What the types of the library do not show. */
interface Hears {
  /** Is told each piece of what the server says, be it in TLS. */
  _onData(piece: Buffer): void;
  /** Ends the connection, and forgets what is not read yet. */
  _onResponseTooLarge(): void;
}

/** The library bounds each answer: of empty lines it takes as many as come, and reads one in each turn of the event loop. */
const boundWhatIsHeard = (smtp: SMTPConnection): void => {
  const inner = smtp as SMTPConnection & Hears;
  const hear = inner._onData.bind(smtp);
  let heard = 0;
  inner._onData = (piece) => {
    heard += piece.length;
    if (heard > mostHeardBytes) inner._onResponseTooLarge();
    else hear(piece);
  };
};

const ownSignIn = 'OFFERED';

/** What else a URL says is not listened to: that the connection is in TLS already, or has more time. */
const serverOf = (url: string) => {
  const { auth, host = 'localhost', secure = false, port, tls, ...said } = parseConnectionUrl(url);
  const { name, ignoreTLS, requireTLS } = said;
  return {
    ...{ auth, host, port: port ?? (secure ? 465 : 587), secure, tls },
    ...(name !== undefined && { name: String(name) }),
    ...{ ignoreTLS: ignoreTLS === true, requireTLS: requireTLS === true },
  };
};

const opened = async ({ url, lookup, mustBeInTls, timeoutMs }: ConversationOptions) => {
  const { auth, ...server } = serverOf(url);
  const connection = await connected(server.host, server.port, lookup, timeoutMs);
  const smtp = new SMTPConnection({
    ...server,
    connection,
    ...(mustBeInTls(connection.remoteAddress ?? '') && { requireTLS: true }),
    customAuth: { [ownSignIn]: signInAs(auth) },
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Nobody listens to a server that does not end its side.
    socketCloseTimeout: 0,
  });
  boundWhatIsHeard(smtp);
  return smtp;
};

const talked = (
  smtp: SMTPConnection,
  { envelope, bytes }: Composed,
  mostMs: number,
  onRead: () => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (then: () => void) => (error?: Error | null) => (error ? reject(error) : then());
    smtp.on('error', reject);
    const timer = setTimeout(() => {
      smtp.close();
      reject(Object.assign(new Error(`no end within ${mostMs} ms`), { code: 'ETIMEDOUT' }));
    }, mostMs);
    smtp.once('end', () => clearTimeout(timer));
    // Where the server takes the email for the archive alone, it has refused it.
    const [person] = envelope.to;
    const send = (): void => {
      const email = Readable.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      smtp.send(envelope, email.on('end', onRead), (error, told) =>
        next(resolve)(error ?? told?.rejectedErrors?.find(({ recipient }) => recipient === person)),
      );
    };
    smtp.connect(next(() => smtp.login({ method: ownSignIn }, next(send))));
  });

/** Until the connection has ended: a server that is told so and says nothing keeps one of its places, and no more. */
export const converse = async (composed: Composed, options: ConversationOptions): Promise<Told> => {
  let wasRead = false;
  let smtp: SMTPConnection | undefined;
  try {
    const opening = await opened(options);
    smtp = opening;
    const ended = new Promise<void>((resolve) => opening.once('end', resolve));
    await talked(smtp, composed, options.mostMs, () => {
      wasRead = true;
    });
    smtp.quit();
    await ended;
    return { wasRead };
  } catch (error) {
    smtp?.close();
    return { wasRead, error: error as Error };
  }
};
