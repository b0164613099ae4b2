import { expect, test } from 'bun:test'
import { includes, RIGHTS, ROLES, rightOfRole } from '../../../src/domain/account/role.ts'

test.each([
  ['owner', ['read', 'write', 'manage', 'own']],
  ['manager', ['read', 'write', 'manage']],
  ['member', ['read', 'write']],
  ['read-only', ['read']],
] as const)('%s has the rights %p', (role, expected) => {
  const held: readonly string[] = RIGHTS.filter((right) => includes(rightOfRole(role), right))
  expect(held).toEqual([...expected])
})

test('roles are listed from most to least, each with a right of its own', () => {
  expect(ROLES.map(rightOfRole)).toEqual(RIGHTS.toReversed())
})
