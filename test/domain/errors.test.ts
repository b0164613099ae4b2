import { expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'

test('a refusal has a message, its code with the kind of that, and the facts of the code', () => {
  const cause = new Error('inner')
  const refusal = new Refusal('project-not-found', 'there is no project "x"', { name: 'x' }, { cause })
  expect(refusal).toBeInstanceOf(Error)
  expect([refusal.message, refusal.code, refusal.kind, refusal.data, refusal.cause]).toEqual([
    'there is no project "x"',
    'project-not-found',
    'not-found',
    { name: 'x' },
    cause,
  ])
})

test('the operator is told what lies behind a message, where that is known', () => {
  const message = 'please try again'
  expect(new Refusal('unavailable', message, { reason: 'the disk is full' }).reason).toBe('the disk is full')
  expect(new Refusal('busy', message).reason).toBe(message)
})

test('the compiler asks for the facts of the code and takes no others', () => {
  // @ts-expect-error The name is missing.
  new Refusal('project-not-found', 'no')
  // @ts-expect-error A delivery has an id and no limit.
  new Refusal('delivery-not-found', 'no', { limit: 5 })
  // @ts-expect-error This code has no facts.
  new Refusal('busy', 'no', { name: 'x' })
  // @ts-expect-error There is no such code.
  new Refusal('conflict', 'no')
  expect.assertions(0)
})
