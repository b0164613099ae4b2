/** Project roles and their rights. */

/** Roles in a project, from the most rights to the fewest. */
export const ROLES = ['owner', 'manager', 'member', 'read-only'] as const

export type Role = (typeof ROLES)[number]

/**
 * Project rights. Each right includes the ones before it. `write`: change checks, channels and pings, and see keys and ping URLs. `manage`:
 * manage members. `own`: delete or transfer the project.
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

/** Returns the right required to grant or revoke a role. Only an owner can make another member an owner. */
export function rightToGive(role: Role): Right {
  return role === 'owner' ? 'own' : 'manage'
}

export function isMore(role: Role, than: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(than)
}
