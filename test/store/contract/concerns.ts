/** Checks that are down or may be late, and checks that came back, over projects. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { FlipMark, PageMark } from '../../../src/store/store.ts'
import { after, anAuthor, aProject, type Ground, ground, type OpenStore } from '../../support/store-builders.ts'

export function concernsContract(open: OpenStore): void {
  let g: Ground
  beforeEach(async () => {
    g = await ground(open)
  })
  afterEach(() => g.close())

  const at = (seconds: number) => g.clock.set(after(seconds).toString())
  const nameOf = async (id: string) => (await g.stored({ id })).name
  const concerns = async (seconds: number, projectId = g.project.id) => {
    const names: string[] = []
    let mark: PageMark | null = null
    do {
      const page = await g.store.listConcerns(projectId, after(seconds), mark)
      for (const id of page.items) names.push(await nameOf(id))
      mark = page.next
    } while (mark !== null)
    return names
  }
  const recoveries = async (seconds: number) => {
    const found: unknown[] = []
    let mark: FlipMark | null = null
    do {
      const page = await g.store.listRecoveries(after(seconds), mark)
      for (const { checkId, at, downSince } of page.items) {
        const second = (instant: typeof downSince) => instant && after(0).until(instant).total('seconds')
        found.push([await nameOf(checkId), second(at), second(downSince)])
      }
      mark = page.next
    } while (mark !== null)
    return found
  }
  const fail = (check: Check) => g.ping(check, { action: 'fail' })

  describe('the concerns of a project', () => {
    test('are the checks that are down, and those whose time has come, in order of creation', async () => {
      const late = await g.check({ name: 'late' })
      const down = await g.check({ name: 'down' })
      const fine = await g.check({ name: 'fine', timeoutSeconds: 600 })
      const running = await g.check({ name: 'running' })
      await g.check({ name: 'new' })
      for (const check of [late, fine]) await g.ping(check)
      await fail(down)
      await g.ping(running, { action: 'start' })
      expect(await concerns(59)).toEqual(['down', 'running'])
      expect(await concerns(60)).toEqual(['late', 'down', 'running'])
      expect(await concerns(600)).toEqual(['late', 'down', 'fine', 'running'])
    })

    test('leave out no late check whose deadline a ping has moved, before and after the loop has looked', async () => {
      const check = await g.check({ name: 'job', timeoutSeconds: 600 })
      await g.ping(check)
      at(500)
      await g.ping(check)
      expect(await concerns(1100)).toEqual(['job'])
      at(700)
      await g.judgeOverdue()
      expect(await concerns(1099)).toEqual([])
      expect(await concerns(1100)).toEqual(['job'])
    })

    test('hold no other project, and nothing for a project that does not exist', async () => {
      await fail(await g.check())
      const other = aProject()
      await g.store.by(anAuthor()).createProject(other, [])
      expect(await concerns(0, other.id)).toEqual([])
      expect(await concerns(0, crypto.randomUUID())).toEqual([])
    })
  })

  describe('recoveries', () => {
    test('come newest first, each with the time when the check went down', async () => {
      const [one, two] = [await g.check({ name: 'one' }), await g.check({ name: 'two' })]
      await fail(one)
      at(10)
      await g.ping(one)
      at(20)
      await g.ping(two)
      await fail(two)
      at(30)
      await g.ping(two)
      await fail(two)
      expect(await recoveries(0)).toEqual([
        ['two', 30, 20],
        ['one', 10, 0],
      ])
      expect(await recoveries(10.000_001)).toEqual([['two', 30, 20]])
    })

    test('of one instant are all read, however many there are', async () => {
      const check = await g.check({ name: 'flapping' })
      const signals = Array.from({ length: 1_200 }, (_, n) =>
        g.arrival(check, { action: n % 2 === 0 ? 'fail' : 'success' }),
      )
      await g.commit(...signals)
      expect(await recoveries(0)).toHaveLength(600)
    })

    test('are none once the check is deleted', async () => {
      const check = await g.check()
      await fail(check)
      await g.ping(check)
      await g.store.by(anAuthor()).deleteCheck(check.id)
      expect(await recoveries(0)).toEqual([])
    })
  })
}
