/** Checks that are down or may be late, and checks that came back, over projects. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { flipTo } from '../../../src/domain/check/flip.ts'
import type { PageMark } from '../../../src/store/store.ts'
import {
  after,
  anAuthor,
  aProject,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function problemsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const at = (seconds: number) => g.clock.set(after(seconds).toString())
  const nameOf = async (id: string) => (await g.stored({ id })).name
  const problems = async (seconds: number, projectId = g.project.id) => {
    const names: string[] = []
    let mark: PageMark | null = null
    do {
      const page = await g.store.overview.listProblems(projectId, after(seconds), mark)
      for (const id of page.items) names.push(await nameOf(id))
      mark = page.next
    } while (mark !== null)
    return names
  }
  const recoveries = async (seconds: number, projectId = g.project.id) => {
    const found: unknown[] = []
    let mark: PageMark | null = null
    do {
      const page = await g.store.overview.listRecoveries(projectId, after(seconds), mark)
      for (const { checkId, at, downSince } of page.items) {
        const second = (instant: typeof downSince) => instant && after(0).until(instant).total('seconds')
        found.push([await nameOf(checkId), second(at), second(downSince)])
      }
      mark = page.next
    } while (mark !== null)
    return found
  }
  const fail = (check: Check) => g.ping(check, { action: 'fail' })

  describe('the problems of a project', () => {
    test('are the checks that are down, and those whose time has come, in order of creation', async () => {
      const late = await g.check({ name: 'late' })
      const down = await g.check({ name: 'down' })
      const fine = await g.check({ name: 'fine', timeoutSeconds: 600 })
      const running = await g.check({ name: 'running' })
      await g.check({ name: 'new' })
      for (const check of [late, fine]) await g.ping(check)
      await fail(down)
      await g.ping(running, { action: 'start' })
      expect(await problems(59)).toEqual(['down', 'running'])
      expect(await problems(60)).toEqual(['late', 'down', 'running'])
      expect(await problems(600)).toEqual(['late', 'down', 'fine', 'running'])
    })

    test('leave out no late check whose deadline a ping has moved, before and after the loop has looked', async () => {
      const check = await g.check({ name: 'job', timeoutSeconds: 600 })
      await g.ping(check)
      at(500)
      await g.ping(check)
      expect(await problems(1100)).toEqual(['job'])
      at(700)
      await g.judgeOverdue()
      expect(await problems(1099)).toEqual([])
      expect(await problems(1100)).toEqual(['job'])
    })

    test('hold no other project, and nothing for a project that does not exist', async () => {
      await fail(await g.check())
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      expect(await problems(0, other.id)).toEqual([])
      expect(await problems(0, crypto.randomUUID())).toEqual([])
    })
  })

  describe('recoveries', () => {
    test('come in order of creation, each check with its last one and the time when it went down', async () => {
      const [one, two] = [await g.check({ name: 'one' }), await g.check({ name: 'two' })]
      for (const [second, check] of [two, one, one].entries()) {
        at(10 * second)
        await fail(check)
        at(10 * second + 5)
        await g.ping(check)
      }
      expect(await recoveries(0)).toEqual([
        ['one', 25, 20],
        ['two', 5, 0],
      ])
      expect(await recoveries(5.000_001)).toEqual([['one', 25, 20]])
    })

    test('leave out a check that is down again, but not one that was paused', async () => {
      const [down, paused] = [await g.check({ name: 'down' }), await g.check({ name: 'paused' })]
      for (const check of [down, paused]) {
        await fail(check)
        await g.ping(check)
      }
      await fail(down)
      await g.store
        .by(anAuthor())
        .checks.change(paused.id, (seen) => flipTo(seen, 'paused', '', g.clock.now()), g.rules)
      expect(await recoveries(0)).toEqual([['paused', 0, 0]])
    })

    test('hold no other project, and nothing for a project that does not exist', async () => {
      const check = await g.check()
      await fail(check)
      await g.ping(check)
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      expect(await recoveries(0, other.id)).toEqual([])
      expect(await recoveries(0, crypto.randomUUID())).toEqual([])
    })

    test('are looked for among the newest flips of a check, however many it has', async () => {
      const check = await g.check({ name: 'flapping' })
      await fail(check)
      await g.ping(check)
      const flap = (flips: number) =>
        g.commit(
          ...Array.from({ length: flips }, (_, n) => g.arrival(check, { action: n % 2 === 0 ? 'fail' : 'success' })),
        )
      await flap(1_200)
      expect(await recoveries(0)).toHaveLength(1)
    })

    test('are none once the check is deleted', async () => {
      const check = await g.check()
      await fail(check)
      await g.ping(check)
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect(await recoveries(0)).toEqual([])
    })
  })
}
