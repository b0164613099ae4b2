/** Names and descriptions of roles. */
import { ROLES, type Role } from '../../../../domain/account/role.ts'
import { type Html, html } from '../../html.ts'
import { selectField } from './fields.ts'

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  manager: 'Manager',
  member: 'Member',
  'read-only': 'Read-only',
}

/** Each role's rights, in addition to the rights of lower roles. */
const WHAT: Readonly<Record<Role, string>> = {
  owner: 'also changes and deletes the project, and makes owners',
  manager: 'also invites people, changes their roles and removes them',
  member: 'also changes checks and integrations, sees ping URLs and creates API keys',
  'read-only': 'sees checks, their logs and whether integrations work, but no ping URLs',
}

/**
 * Renders a drop-down list of roles, lowest first, and describes their rights.
 * @param withOwner false for users who are not owners
 * @param about additional text
 */
export function roleField(value: Role, withOwner: boolean, about: string | null = null): Html {
  const roles = ROLES.filter((role) => withOwner || role !== 'owner').toReversed()
  const lines = roles.map((role) => html`<b>${ROLE_WORDS[role]}</b> ${WHAT[role]}.<br>`)
  return selectField({
    name: 'role',
    label: 'Role',
    value,
    options: roles.map((role) => [role, ROLE_WORDS[role]]),
    help: html`${lines}${about}`,
  })
}

/** Roles with an article, for use after `as`, such as `a member`. */
export const AS_ROLE: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  manager: 'a manager',
  member: 'a member',
  'read-only': 'a read-only member',
}
