/** Random histories of incidents, compared with a model that acts every minute, and properties of all of them. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sendsAlerts } from '../../../src/domain/check/flip.ts'
import { followFlip } from '../../../src/domain/incident/follow.ts'
import type { Incident } from '../../../src/domain/incident/incident.ts'
import { isBefore } from '../../../src/lib/time.ts'
import { CHECK, histories, live } from '../support/histories.ts'
import { actions, foreseen, played } from '../support/incident-histories.ts'
import { type ToldCheck, time } from '../support/told-check.ts'

test('any history is told at the minute at which the model tells it', () => {
  let told = 0
  const property = fc.property(actions, (given) => {
    const it = played(given)
    expect(it.tellings.map(({ news, at }) => `${news} ${at.since(time(0)).total('minutes')}`)).toEqual([
      ...foreseen(given),
    ])
    told += it.tellings.length
  })
  fc.assert(property, { numRuns: 1_000 })
  expect(told).toBeGreaterThan(1_000)
})

describe('in every history', () => {
  /** Checks the claim in each history. Fails if too few histories test it. */
  function always(claim: (it: ToldCheck) => boolean): void {
    let applied = 0
    const property = fc.property(actions, (given) => {
      applied += Number(claim(played(given)))
    })
    fc.assert(property, { numRuns: 500 })
    expect(applied).toBeGreaterThan(30)
  }

  test('an open incident has been told, or has a next look, unless somebody took it without an end', () => {
    always(({ seen }) => {
      const untold = seen.filter(({ open }) => open !== null && open.told === null && !isHeldForEver(open))
      for (const { open, now } of untold) {
        expect(open?.held).not.toBeNull()
        expect(open?.nextLookAt && isBefore(now, open.nextLookAt)).toBe(true)
      }
      return untold.length > 0
    })
  })

  test('each look writes something, unless a silence that was written or ended asked for it', () => {
    always(({ looks, wakes, events }) => {
      expect(looks - wakes).toBeLessThanOrEqual(events.length)
      return looks > wakes
    })
  })

  test('the recovery of what was told is told, and no other', () => {
    always(({ tellings }) => {
      for (const [index, { news, eventN }] of tellings.entries()) {
        if (news === 'down') continue
        const before = tellings[index - 1]
        expect(before?.news).toBe('down')
        expect(before?.eventN).toBeLessThan(eventN)
      }
      return tellings.some(({ news }) => news === 'up')
    })
  })

  test('nothing is told twice, and what is told stays in order', () => {
    always(({ tellings }) => {
      const numbers = tellings.map(({ eventN }) => eventN)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      return numbers.length > 1
    })
  })

  test('an incident that has ended waits for nothing', () => {
    always(({ ended }) => {
      for (const { resolvedAt, held, nextLookAt } of ended) {
        expect([resolvedAt === null, held, nextLookAt]).toEqual([false, null, null])
      }
      return ended.length > 0
    })
  })

  test('a silence lets go only what it held, and holds nothing twice in a row', () => {
    always(({ events }) => {
      const ofSilences = events.filter(
        (event) => event.kind === 'held' || (event.kind === 'released' && event.from === 'silence'),
      )
      for (const [index, event] of ofSilences.entries()) {
        if (event.kind === 'released') expect(ofSilences[index - 1]?.kind).toBe('held')
      }
      return ofSilences.length > 0
    })
  })
})

function isHeldForEver({ held }: Incident): boolean {
  return held?.why === 'acknowledgement' && held.until === null
}

test('without silences and with nobody on it, what is told equals the flips that send alerts, in any history of a check', () => {
  let told = 0
  const property = fc.property(histories, (events) => {
    let open: Incident | null = null
    for (const { flip, after, now } of live(CHECK, events)) {
      if (!flip) continue
      const followed = followFlip(open, flip, { check: after, silences: [] }, now)
      open = followed.opened
      const news = flip.newStatus === 'down' ? 'down' : 'up'
      expect(followed.tellings).toEqual(sendsAlerts(flip) ? [{ eventN: flip.n, news }] : [])
      expect([followed.events, open?.nextLookAt ?? null]).toEqual([[], null])
      expect(open === null).toBe(after.status !== 'down')
      told += followed.tellings.length
    }
  })
  fc.assert(property, { numRuns: 1_000 })
  expect(told).toBeGreaterThan(100)
})
