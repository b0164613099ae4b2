/** A fix solves the problem for which it was proposed, and the advice does not return. */
import { expect, test } from 'bun:test'
import type { Advice, FixedSettings } from '../../src/domain/advice/advice.ts'
import { advise } from '../../src/domain/advice/advise.ts'
import { woken } from '../../src/domain/advice/woken.ts'
import { factsAt, type History } from '../../test/support/jobs/history.ts'
import { ILL } from '../../test/support/jobs/ill/all.ts'
import { utcWatchedFrom } from '../../test/support/jobs/ill/zones.ts'
import { historyRandom, isRight, looksAt } from '../../test/support/jobs/judged.ts'
import { withSettings } from '../../test/support/jobs/watching.ts'
import { byEffort } from '../support/effort.ts'
import { LATER_LOOKS, SEED } from './support/amounts.ts'

const HISTORIES = byEffort({ short: 5, full: 40 })

interface Fixed {
  readonly history: History
  readonly kind: Advice['kind']
  readonly settings: FixedSettings
  readonly now: number
}

/** Returns the history with its fix, applied when it was first proposed. Null if it never was, or needs more than settings. */
function fixed(index: number, { history: make }: (typeof ILL)[number]): Fixed | null {
  const history = make(historyRandom(SEED, index))
  for (const { now, advice } of looksAt(history, LATER_LOOKS)) {
    const [shown] = advice
    if (shown === undefined || !isRight(shown, history.right) || shown.fix.do !== 'set') continue
    const check = withSettings(history.check, shown.fix.settings, now)
    return { history: { ...history, check, before: null }, kind: shown.kind, settings: shown.fix.settings, now }
  }
  return null
}

// In this kind, pings stay ignored after the fix, because the history records each as ignored.
const KINDS = ILL.filter(({ name, found }) => found !== 0 && name !== 'never by POST')

test.each(KINDS.map((kind) => [kind.name, kind] as const))(
  'nothing of the kind is said after its fix: %s',
  (_name, kind) => {
    for (let index = 0; index < HISTORIES; index += 1) {
      const mended = fixed(index, kind)
      if (mended === null) continue
      const { history, now } = mended
      expect(advise(factsAt(history, now), now).map((advice) => advice.kind)).not.toContain(mended.kind)
      const later = looksAt(history, LATER_LOOKS).filter((look) => look.now >= now)
      expect(later.flatMap(({ advice }) => advice).map((advice) => advice.kind)).not.toContain(mended.kind)
    }
  },
)

test('the zone UTC holds for a year, over both changes of clocks, where a job came an hour or two late', () => {
  for (let index = 0; index < 4 * HISTORIES; index += 1) {
    const history = utcWatchedFrom(historyRandom(SEED, index))
    const first = looksAt(history, 0).find(({ advice }) => advice[0]?.kind === 'zone')
    expect(first?.advice[0]?.fix).toEqual({ do: 'set', settings: { tz: 'UTC' } })
    const since = first?.now ?? 0
    const check = { ...history.check, tz: 'UTC', changedAt: since }
    const mended = { ...history, check }
    const log = history.pings.filter(({ at }) => at >= since)
    const { alerts, alertsThen } = woken({ check: history.check, log, away: [] }, { timing: check }, history.until)
    expect(alerts).toBeGreaterThan(100)
    expect(alertsThen).toBe(0)
    const said = looksAt(mended, 52).filter(({ now }) => now >= since)
    expect(said.flatMap(({ advice }) => advice)).toEqual([])
  }
})
