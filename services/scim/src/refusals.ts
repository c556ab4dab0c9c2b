/** The ways in which a SCIM request is refused, each in one word. */
import { refusal, rejectionWithRetry } from '@roster/contract';

export const badSyntax = refusal('SCIM_SYNTAX_INVALID');
export const badFilter = refusal('SCIM_FILTER_INVALID');
export const badValue = refusal('SCIM_VALUE_INVALID');
export const badPath = refusal('SCIM_PATH_INVALID');
export const noTarget = refusal('SCIM_TARGET_MISSING');
export const fixedAttribute = refusal('SCIM_ATTRIBUTE_FIXED');
export const userExists = refusal('SCIM_USER_EXISTS');
export const userNotFound = refusal('SCIM_USER_NOT_FOUND');
export const resourceNotFound = refusal('SCIM_RESOURCE_NOT_FOUND');
export const tooLate = () => rejectionWithRetry('UNAVAILABLE', 1);
export const tooManyChanges = refusal('SCIM_TOO_MANY_OPERATIONS');
export const tooLarge = refusal('SCIM_USER_TOO_LARGE');
export const tooMuchWork = refusal('SCIM_TOO_MUCH_WORK');
export const otherVersion = refusal('SCIM_VERSION_MISMATCH');
