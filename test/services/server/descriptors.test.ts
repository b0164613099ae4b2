import { expect, test } from 'bun:test'
import { createDescriptorWatch } from '../../../src/services/server/descriptors.ts'
import { testApp } from '../../support/test-app.ts'

test('a shortage of file descriptors is logged once, with the numbers, and so is its end', async () => {
  const t = await testApp()
  let open: number | null = 10
  let seconds = 0
  const watch = createDescriptorWatch({
    log: t.app.deps.log,
    stopwatch: () => seconds,
    ownProcess: { ...t.app.deps.ownProcess, descriptors: () => (open === null ? null : { open, limit: 100 }) },
  })
  const toldAfter = (present: number | null) => {
    open = present
    seconds += 10
    watch()
    watch()
    return t.log.splice(0).map(({ level, details }) => [level, details])
  }
  expect(toldAfter(89)).toEqual([])
  expect(toldAfter(90)).toEqual([['error', { open: 90, limit: 100 }]])
  expect(toldAfter(100)).toEqual([])
  expect(toldAfter(89)).toEqual([['info', { open: 89, limit: 100 }]])
  expect(toldAfter(null)).toEqual([])
  await t.close()
})

test('the real numbers are those of this process, if the system reports them', async () => {
  const t = await testApp()
  const found = t.app.deps.ownProcess.descriptors()
  if (process.platform === 'linux') {
    expect(found?.open).toBeGreaterThan(2)
    expect(found?.limit).toBeGreaterThan(found?.open ?? Number.POSITIVE_INFINITY)
  } else expect(found).toBeNull()
  await t.close()
})
