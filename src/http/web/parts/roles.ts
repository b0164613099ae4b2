/** Roles in words. */
import { ROLES, type Role } from '../../../domain/account/role.ts'

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  manager: 'Manager',
  member: 'Member',
  'read-only': 'Read-only',
}

const WHAT: Readonly<Record<Role, string>> = {
  owner: 'also changes and deletes the project',
  manager: 'also invites and removes people',
  member: 'changes checks and integrations, makes API keys, sees ping URLs',
  'read-only': 'sees checks and logs, no ping URLs',
}

/** To choose from, the least first. @param withOwner false for who is no owner */
export function roleOptions(withOwner: boolean): readonly (readonly [value: Role, words: string])[] {
  return ROLES.filter((role) => withOwner || role !== 'owner')
    .toReversed()
    .map((role) => [role, `${ROLE_WORDS[role]}: ${WHAT[role]}`])
}

/** To follow `as`: `a member`. */
export const AS_ROLE: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  manager: 'a manager',
  member: 'a member',
  'read-only': 'a read-only member',
}
