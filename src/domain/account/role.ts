/** Roles in a project, and the right that each gives. */

/** Roles, the one with the most rights first. */
export const ROLES = ['owner', 'manager', 'member', 'read-only'] as const

export type Role = (typeof ROLES)[number]

/**
 * Rights in a project; each includes those before it. `write`: checks, channels, pings, and seeing keys and ping URLs. `manage`: members.
 * `own`: the project itself.
 */
export const RIGHTS = ['read', 'write', 'manage', 'own'] as const

export type Right = (typeof RIGHTS)[number]

const RIGHT_OF_ROLE: Readonly<Record<Role, Right>> = {
  owner: 'own',
  manager: 'manage',
  member: 'write',
  'read-only': 'read',
}

export function rightOfRole(role: Role): Right {
  return RIGHT_OF_ROLE[role]
}

export function includes(right: Right, needed: Right): boolean {
  return RIGHTS.indexOf(right) >= RIGHTS.indexOf(needed)
}

/** Returns the right needed to give or take away a role. Only owners make owners. */
export function rightToGive(role: Role): Right {
  return role === 'owner' ? 'own' : 'manage'
}

export function isMore(role: Role, than: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(than)
}
