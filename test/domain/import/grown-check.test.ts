/** Events that a check keeps when an import brings flips that it lacks. */
import { describe, expect, test } from 'bun:test'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { findSharedFlips } from '../../../src/domain/import/grown-check.ts'
import { aFlip, at } from '../../support/builders.ts'

const up = (n: number, time: string): Flip => aFlip({ n, createdAt: at(time), newStatus: 'up', reason: '' })
const down = (n: number, time: string): Flip => aFlip({ n, createdAt: at(time), newStatus: 'down', reason: 'timeout' })
const keptSince = at('01:00')

describe('flips here and in the source', () => {
  test('are the same up to the newest of both, and what the source has more is new', () => {
    const here = [down(2, '10:00'), up(1, '09:00')]
    const there = [up(7, '09:00'), down(8, '10:00'), up(9, '11:00')]
    expect(findSharedFlips({ here, nEvents: 2, there, keptSince })).toEqual({ keptEvents: 2, flipShift: -6 })
  })

  test('that time alone made here go', () => {
    const here = [down(3, '12:00'), up(2, '10:00')]
    const there = [up(2, '10:00')]
    expect(findSharedFlips({ here, nEvents: 3, there, keptSince })).toEqual({ keptEvents: 2, flipShift: 0 })
  })

  test('leave what people have left here since, after which the new ones are numbered', () => {
    const here = [down(2, '10:00'), up(1, '09:00')]
    const there = [up(1, '09:00'), down(2, '10:00'), up(3, '11:00')]
    expect(findSharedFlips({ here, nEvents: 4, there, keptSince })).toEqual({ keptEvents: 4, flipShift: 2 })
    const later = [down(5, '12:00'), ...here]
    expect(findSharedFlips({ here: later, nEvents: 6, there, keptSince })).toEqual({ keptEvents: 4, flipShift: 2 })
  })

  test('keep the numbers of the source, between which events lie that are no flips', () => {
    const here = [down(3, '10:00'), up(1, '09:00')]
    const there = [up(1, '09:00'), down(3, '10:00'), up(6, '11:00')]
    expect(findSharedFlips({ here, nEvents: 4, there, keptSince })).toEqual({ keptEvents: 4, flipShift: 0 })
    expect(findSharedFlips({ here, nEvents: 7, there, keptSince })).toEqual({ keptEvents: 7, flipShift: 2 })
  })

  test('part where a person has changed the status here', () => {
    const here = [aFlip({ n: 3, createdAt: at('11:00'), newStatus: 'paused', reason: '' }), down(2, '10:00')]
    expect(findSharedFlips({ here, nEvents: 3, there: [down(2, '10:00')], keptSince })).toBeNull()
  })
})
