import { expect, test } from 'bun:test'
import { ProjectModel } from '../../../src/services/live/project-model.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { testApp } from '../../support/test-app.ts'

test('all checks are read again at once if somebody asks, and otherwise for a fifth of the time at most', async () => {
  const t = await testApp()
  let elapsed = 0
  let reads = 0
  const store = replaced(t.app.deps.store, {
    checks: {
      list: (...given: Parameters<typeof t.app.deps.store.listChecks>) => {
        reads += 1
        elapsed += 2
        return t.app.deps.store.checks.list(...given)
      },
    },
  })
  const model = new ProjectModel({ ...t.app.deps, store, stopwatch: () => elapsed }, t.project.id, {
    pace: () => ({ pauseMs: 60_000, rows: 50, rest: 4 }),
    position: () => '',
    onUpdate: () => {},
    onError: () => {},
  })
  const readsAfter = async (seconds: number) => {
    elapsed += seconds
    model.readAgain()
    await model.update()
    return reads
  }
  await model.ready
  expect(await readsAfter(7)).toBe(1)
  expect(await readsAfter(1)).toBe(2)
  expect(await readsAfter(7)).toBe(2)
  await model.refresh()
  expect(reads).toBe(3)
  model.close()
  await t.close()
})
