/** RFC 8058: what a mail program posts to the URL of the List-Unsubscribe header. */

const urlEncoded = 'application/x-www-form-urlencoded';

/** The one part of a multipart body that counts; white space and other headers of the part may stand between. */
const multipart =
  /name="?List-Unsubscribe"?[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,4}\r?\nOne-Click\r?\n/i;

export const isOneClick = (contentType: string, body: string): boolean =>
  contentType.toLowerCase().startsWith(urlEncoded)
    ? new URLSearchParams(body).get('List-Unsubscribe')?.toLowerCase() === 'one-click'
    : multipart.test(body);
