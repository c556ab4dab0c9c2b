/** From the requests of a batch to a plan: load, plan, and load what turned out to be missing. */
import type { LoadBudget, Session } from '@roster/store';

/** A plan that is ready to be written, or the data that is still missing for it. */
type PlanOrNeeds<Needs, Ready> = { ready: false; needs: Needs } | Ready;

export interface PlanningRule<Request, Known, Needs, Ready extends { ready: true }> {
  /** Reads the data that the requests need, in as few queries as possible. */
  load(session: Session, requests: readonly Request[], budget: LoadBudget): Promise<Known>;
  /** Pure: it has neither a clock nor a database. */
  plan(
    requests: readonly Request[],
    known: Known,
  ): PlanOrNeeds<Needs, Ready> | Promise<PlanOrNeeds<Needs, Ready>>;
  /** Reads what only planning could tell that it is needed. */
  loadMore(
    session: Session,
    known: Known,
    needs: Needs,
    requests: readonly Request[],
    budget: LoadBudget,
  ): Promise<Known>;
}

/** Each round loads what the one before found missing. More than this is a mistake of the rules. */
const mostRounds = 500;

export const planInRounds = async <Request, Known, Needs, Ready extends { ready: true }>(
  rule: PlanningRule<Request, Known, Needs, Ready>,
  session: Session,
  requests: readonly Request[],
  budget: LoadBudget,
): Promise<Ready> => {
  let known = await rule.load(session, requests, budget);
  for (let round = 0; round < mostRounds; round++) {
    const planned = await rule.plan(requests, known);
    if (planned.ready) return planned;
    known = await rule.loadMore(session, known, planned.needs, requests, budget);
  }
  throw new Error(`planning needs more than ${mostRounds} rounds`);
};
