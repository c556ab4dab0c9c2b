/** What one answer may hold: about a quarter of a second of work, and so little memory that several are made at once. */
import { Rejection } from '@roster/contract';

const mostBytes = 8 * 1024 * 1024;
const mostPeople = 2_500;
/** Names of events and products, of all people together. */
const mostSummaries = 20_000;

const tooMuch = (): Rejection => new Rejection('EXPORT_TOO_LARGE');

export interface AnswerRoom {
  /** Throws when there is no room for this one beside the others. One alone always has room. */
  takePerson(bytes: number): void;
  /** Likewise: all summaries of one person alone have room. */
  takeSummary(): void;
  /** The bytes of all people so far, also of one for whom there was no room. */
  loaded(): number;
}

export const createAnswerRoom = (): AnswerRoom => {
  let [bytes, people, summaries] = [0, 0, 0];
  return {
    takePerson(size) {
      bytes += size;
      people += 1;
      if (people > 1 && (bytes > mostBytes || people > mostPeople)) throw tooMuch();
    },
    loaded: () => bytes,
    takeSummary() {
      summaries += 1;
      if (people > 1 && summaries > mostSummaries) throw tooMuch();
    },
  };
};
