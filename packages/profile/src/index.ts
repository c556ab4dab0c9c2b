export { type Change, changesOf } from './change.ts';
export { mostIncrements } from './custom-attribute.ts';
export { type Decision, decide, type EntryKind, type Question } from './decide.ts';
export { type Fold, type Folded, fold, type Note } from './fold.ts';
export { emailKey, type Identified, type Identifier, identifierOf, identityKey } from './identifier.ts';
export {
  type AttributeObject,
  type Item,
  type Origin,
  type Prepared,
  prepare,
  type TrackBody,
  type TrackEntry,
  type TrackRequest,
} from './plan/item.ts';
export type { Identity, Known, Listed, Needs } from './plan/people.ts';
export {
  type EntryNote,
  type EntryResult,
  type Placed,
  type Plan,
  type PlanInput,
  type Planned,
  plan,
  type Result,
} from './plan/plan.ts';
export {
  type Alias,
  type CustomAttribute,
  type FieldName,
  fieldNames,
  type Increment,
  isFieldName,
  newProfile,
  type Profile,
  type Stamp,
  type Stamped,
  type Value,
} from './profile.ts';
export { type Candidate, lastUpdateOf, rankCandidates } from './rank-candidates.ts';
export { randomBucket, serviceIdOf } from './service-id.ts';
export { type VisibleProfile, visible } from './visible.ts';
