import { describe, expect, test } from 'bun:test'
import { ROLES } from '../../src/domain/account/role.ts'
import {
  type Actor,
  type KeyHolder,
  may,
  OPERATOR,
  operatorIn,
  type Person,
  personIn,
  personInEach,
  requireAdministrator,
  requireRight,
  rightOf,
} from '../../src/domain/actor.ts'
import { Refusal } from '../../src/domain/errors.ts'
import type { ApiKeyKind } from '../../src/domain/key-kind.ts'
import { aProject } from '../support/builders.ts'

const PROJECT = aProject()
const ANN: Person = {
  kind: 'person',
  accountId: 'ann',
  email: 'ann@example.org',
  isAdministrator: false,
  address: '192.0.2.7',
}
const keyHolder = (keyKind: ApiKeyKind): KeyHolder => ({
  kind: 'key',
  keyKind,
  lookup: 'l',
  hint: 'odw_1234',
  address: null,
})

function refusal(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error instanceof Refusal ? error.code : error
  }
  return null
}

describe('a person in a project', () => {
  test.each(ROLES)('has the role %s, and stays who they are', (role) => {
    expect(personIn(PROJECT, ANN, role)).toEqual({ project: PROJECT, by: { ...ANN, role } })
  })

  test('is nobody there without a place in it', () => {
    expect(personIn(PROJECT, ANN, null)).toBeNull()
  })

  test.each([null, ...ROLES])('who administers is an owner, with the role %s', (role) => {
    expect(personIn(PROJECT, { ...ANN, isAdministrator: true }, role)?.by.role).toBe('owner')
  })
})

test('of several projects a person is in those in which they have a place', () => {
  const other = aProject()
  const places = [
    { project: other, role: null },
    { project: PROJECT, role: 'member' },
  ] as const
  expect(personInEach(places, ANN)).toEqual([{ project: PROJECT, by: { ...ANN, role: 'member' } }])
})

describe('the most that is allowed', () => {
  const as = (by: Actor['by']): Actor => ({ project: PROJECT, by })
  test.each([
    ['a read-only key', as(keyHolder('read-only')), 'read'],
    ['a read-write key', as(keyHolder('read-write')), 'write'],
    ['a read-only member', as({ ...ANN, role: 'read-only' }), 'read'],
    ['a member', as({ ...ANN, role: 'member' }), 'write'],
    ['a manager', as({ ...ANN, role: 'manager' }), 'manage'],
    ['an owner', as({ ...ANN, role: 'owner' }), 'own'],
    ['the operator', operatorIn(PROJECT), 'own'],
  ] as const)('of %s: %3$s', (_, actor, right) => {
    expect(rightOf(actor)).toBe(right)
    expect(may(actor, right)).toBe(true)
  })
})

describe('a right that is missing', () => {
  const reader: Actor = { project: PROJECT, by: { ...ANN, role: 'read-only' } }
  const member: Actor = { project: PROJECT, by: { ...ANN, role: 'member' } }

  test('is refused as read-only to who may only read, otherwise as forbidden', () => {
    expect(refusal(() => requireRight(reader, 'write'))).toBe('read-only')
    expect(refusal(() => requireRight(reader, 'own'))).toBe('read-only')
    expect(refusal(() => requireRight(member, 'manage'))).toBe('forbidden')
    expect(refusal(() => requireRight(member, 'write'))).toBeNull()
  })

  test('is every right on what belongs to another project', () => {
    expect(refusal(() => requireRight(operatorIn(PROJECT), 'read', { projectId: 'other' }))).toBe('forbidden')
    expect(refusal(() => requireRight(operatorIn(PROJECT), 'own', { projectId: PROJECT.id }))).toBeNull()
  })
})

test('administrators are persons who are that, and the operator', () => {
  expect(refusal(() => requireAdministrator(ANN))).toBe('forbidden')
  expect(refusal(() => requireAdministrator({ ...ANN, isAdministrator: true }))).toBeNull()
  expect(refusal(() => requireAdministrator(OPERATOR))).toBeNull()
})
