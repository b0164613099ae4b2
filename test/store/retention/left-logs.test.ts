/** Two processes remove the leftovers of a deleted check at once, and an import brings a check of the same id. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts'
import type { StepTiming } from '../../../src/store/sql/steps.ts'
import { createStore } from '../../../src/store/sql-store/sql-store.ts'
import { type Folder, temporaryFolder } from '../../support/folder.ts'
import { anImport, importProject, stage } from '../../support/imports.ts'
import { allFlips } from '../../support/lists.ts'
import { aCheck, after, anAuthor, aProject, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

const EXTENT = { n: 5, eventN: 3 }
const LONG_AGO = after(-1e9)

let folder: Folder
let g: StoreFixture
/** called before each step of the store that prunes; each step removes one entry */
let beforeStep = async () => {}
beforeEach(async () => {
  folder = temporaryFolder()
  beforeStep = async () => {}
  g = await storeFixture(() => open())
})
afterEach(async () => {
  await g.close()
  folder.remove()
})

async function open(timing?: StepTiming) {
  const store = createStore(await openSqlite({ path: folder.file('o.db') }), timing)
  return { store, another: null, close: () => store.close() }
}

/** @returns a check whose project was imported, then deleted, and the import that brings it again */
async function deletedCheck() {
  const project = aProject()
  const check = aCheck(project, { nPings: EXTENT.n, nEvents: EXTENT.eventN })
  const order = anImport({
    project,
    checks: [{ check, channelIds: [] }],
    logs: new Map([[check.id, EXTENT]]),
  })
  await stage(g.store, check, project, EXTENT)
  await importProject(g.store, order, g.rules)
  await g.store.by(anAuthor()).checks.clear(check.id)
  await g.store.by(anAuthor()).projects.delete(project.id, 0)
  return { project, check, order }
}

test('whatever the other process has done by then, it removes nothing of what was staged since', async () => {
  let steps = 0
  let present = 0
  const step: StepTiming['step'] = async (work) => {
    await beforeStep()
    steps += 1
    return work()
  }
  const other = await open({ step, stopwatch: () => (present += 5) })
  let interruptions = 0
  for (let at = 0; ; at += 1) {
    const { project, check, order } = await deletedCheck()
    steps = 0
    beforeStep = async () => {
      if (steps !== at) return
      interruptions += 1
      await g.store.imports.removeDeletedLogs([check.id])
      await stage(g.store, check, project, EXTENT)
    }
    await other.store.retention.prune(LONG_AGO, 10)
    if (interruptions === at) break
    await importProject(g.store, order, g.rules)
    expect((await g.store.pings.readLog(check.id, null, 10, 300)).map(({ n }) => n)).toEqual([5, 4, 3, 2, 1])
    expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([3, 2, 1])
    await g.store.by(anAuthor()).projects.delete(project.id, 0)
    await g.store.retention.prune(LONG_AGO, 100)
  }
  expect(interruptions).toBeGreaterThan(8)
  await other.close()
})
