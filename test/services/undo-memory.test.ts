import { expect, test } from 'bun:test'
import { UndoMemory, type UndoStep } from '../../src/services/undo-memory.ts'
import { after } from '../support/store-builders.ts'

const ANN = { accountId: 'ann', projectId: 'books' }
const steps = (count: number): UndoStep[] =>
  Array.from({ length: count }, (_, n) => ({ publicId: `${n}`, undo: { kind: 'tags', before: '', after: 'a' } }))

test('of more steps than the limit, the oldest changes are forgotten', () => {
  const memory = new UndoMemory(10)
  for (const token of ['first', 'second', 'third']) expect(memory.keep(token, ANN, steps(4), after(0))).toBe(true)
  expect(memory.take('first', ANN, after(1))).toBeNull()
  expect(memory.take('second', ANN, after(1))).toHaveLength(4)
  expect(memory.keep('fourth', ANN, steps(6), after(1))).toBe(true)
  expect(memory.take('third', ANN, after(1))).toHaveLength(4)
  expect(memory.take('fourth', ANN, after(1))).toHaveLength(6)
})

test('a change of more steps than the limit is not kept, and nothing is forgotten for it', () => {
  const memory = new UndoMemory(10)
  memory.keep('small', ANN, steps(10), after(0))
  expect(memory.keep('large', ANN, steps(11), after(0))).toBe(false)
  expect(memory.take('large', ANN, after(0))).toBeNull()
  expect(memory.take('small', ANN, after(0))).toHaveLength(10)
})

test('what has expired makes room', () => {
  const memory = new UndoMemory(10)
  memory.keep('old', ANN, steps(8), after(0))
  memory.keep('new', ANN, steps(2), after(3600))
  expect(memory.take('old', ANN, after(3600))).toBeNull()
  expect(memory.take('new', ANN, after(3600 + 3599))).toHaveLength(2)
})
