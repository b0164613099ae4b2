import { expect, test } from 'bun:test'
import { Refusal } from '../../../../../src/domain/errors.ts'
import { LastingFault } from '../../../../../src/store/engine/postgres/connection/lasting-fault.ts'

const FULL = Object.assign(new Error('could not extend file: No space left on device'), { errno: '53100' })
const WORDS = 'the disk of PostgreSQL is full: free some space; no restart is needed'

function fault() {
  const told: (string | null)[] = []
  const clock = { now: 0 }
  return {
    told,
    clock,
    fault: new LastingFault(
      (words) => void told.push(words),
      () => clock.now,
    ),
  }
}

test('a full disk is told once, however many writes it fails, and refuses a probe that would succeed', () => {
  const t = fault()
  t.fault.refuse()
  const refusals = [t.fault.writeFailed(FULL), t.fault.writeFailed(FULL)]
  expect(t.told).toEqual([`the database cannot be used: ${WORDS} (${FULL.message})`])
  for (const refusal of refusals)
    expect(refusal?.data).toEqual({ reason: `${WORDS} (${FULL.message})`, isLogged: true })
  expect(() => t.fault.refuse()).toThrow(Refusal)
})

test('a write that succeeds ends it only when none has failed for a while', () => {
  const t = fault()
  t.fault.writeFailed(FULL)
  t.clock.now = 4_000
  t.fault.writeSucceeded()
  t.fault.writeFailed(FULL)
  t.clock.now = 8_999
  t.fault.writeSucceeded()
  expect(() => t.fault.refuse()).toThrow(Refusal)
  t.clock.now = 9_000
  t.fault.writeSucceeded()
  t.fault.refuse()
  t.fault.writeSucceeded()
  expect(t.told).toEqual([expect.any(String), null])
})

test('what passes by itself, and a bug of ours, is none', () => {
  const t = fault()
  for (const errno of ['55P03', '40P01', '57P01', '42601']) {
    expect(t.fault.writeFailed(Object.assign(new Error('no'), { errno }))).toBeNull()
  }
  expect(t.fault.writeFailed(new Error('bug'))).toBeNull()
  expect(t.told).toEqual([])
})
