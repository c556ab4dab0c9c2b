/** Answers of Express routes that refuse a request. */
import type { ServerResponse } from 'node:http';
import { Rejection } from '@roster/contract';
import { refusedId } from '@roster/queue';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { writeAnswer } from './answer.ts';
import type { Asked } from './answer-headers.ts';
import { dialectAt, rejectionAnswer, spoken } from './dialect.ts';
import { isEarly } from './early-answer.ts';
import type { Edge } from './edge.ts';

/** Nothing was accepted under this id. */
export const askedOf = ({ linger }: Edge): Asked => ({ id: refusedId(), closing: false, linger });

export const refuse =
  (edge: Edge, rejection: Rejection): RequestHandler =>
  (request, response) => {
    const dialect = dialectAt(request.path);
    const answer = spoken(rejectionAnswer(rejection, dialect), request, dialect);
    writeAnswer(response, askedOf(edge), answer);
  };

/** Pages take no body. */
export const refuseBodies = (edge: Edge): RequestHandler => {
  const tooLarge = refuse(edge, new Rejection('BODY_TOO_LARGE'));
  return (request, response, next) => {
    if (isEarly(request, false)) tooLarge(request, response, next);
    else next();
  };
};

/** Handlers answer for themselves: only what Express finds wrong (a path that can't be decoded) and bugs come here. */
export const lastResort =
  (edge: Edge) =>
  (error: unknown, response: ServerResponse): void => {
    const status = (error as { status?: number }).status ?? 500;
    if (status >= 500) edge.log.error({ err: error }, 'bug');
    const rejection = new Rejection(status < 500 ? 'URL_INVALID' : 'INTERNAL');
    writeAnswer(response, askedOf(edge), rejectionAnswer(rejection));
  };

/** Express tells a handler of errors by its four parameters. */
export const asErrorHandler =
  (answer: ReturnType<typeof lastResort>): ErrorRequestHandler =>
  (error, _request, response, _next) =>
    answer(error, response);
