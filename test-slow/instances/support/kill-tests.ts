/** Promises that must hold when instances are killed, for any number of instances. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { byEffort } from '../../support/effort.ts'
import { KILLS, type KillTrial, killInstances, SILENT_PER_KILL } from './kill-trial.ts'
import { REFUSED } from './verdict.ts'

const ALL_WITHIN_MS = byEffort({ short: 280_000, long: 3_600_000 })

/** Call it at the top level of a test file. @param count of instances */
export function testKills(count: number): void {
  const ends: (() => unknown)[] = []
  let trial: KillTrial

  beforeAll(async () => {
    trial = await killInstances(count, (work) => ends.push(work))
  }, ALL_WITHIN_MS)

  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  test('every acknowledged ping is in the log of its check exactly once, unchanged and in order', () => {
    expect(trial.violations.pings).toEqual([])
    expect(trial.figures.acknowledged).toBeGreaterThan(KILLS * 50)
  })

  test('an instance that lives acknowledges pings, or asks the sender to try again', () => {
    const answers = trial.sent.filter(({ answeredAt }) => answeredAt === null).map(({ answer }) => answer)
    // All others had no answer, because their connection was refused or broke.
    const told = answers.filter((answer) => /^\d/.test(answer))
    expect(told.filter((answer) => answer !== REFUSED)).toEqual([])
    // While a starved machine holds up one instance, others wait for the rows that it has locked, and give up after a while.
    expect(told.length).toBeLessThan(trial.sent.length / 10)
  })

  test('every flip has one cause, every cause has one flip, and the flips of a check have no gap', () => {
    expect(trial.violations.flips).toEqual([])
    expect(trial.figures['flips by silence']).toBe(SILENT_PER_KILL * KILLS)
  })

  test('nobody is told of an incident while a silence holds it or somebody is on it, everybody is afterwards, and none outlasts its problem', () => {
    expect(trial.violations.incidents).toEqual([])
    expect(trial.left).toEqual([])
    for (const act of ['silence', 'take']) expect(trial.done.get(act) ?? 0).toBeGreaterThan(0)
  })

  test('nobody is told in quiet hours, and at their end of everything except what they cancelled', () => {
    expect(trial.violations.quiet).toEqual([])
    expect(trial.figures['deliveries that waited for the end of quiet hours']).toBeGreaterThan(KILLS)
    expect(trial.figures['alerts in a message, at most']).toBeGreaterThan(1)
  })

  test('every alert reaches its channel, in order, and again only under its id when its instance was gone', () => {
    expect(trial.violations.deliveries).toEqual([])
    expect(trial.figures.deliveries).toBeGreaterThan(SILENT_PER_KILL * KILLS)
  })
}
