/** A night over several projects. The clock begins on Wednesday at noon in UTC. */
import { afterEach, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import { operatorIn, type Person } from '../../../src/domain/actor.ts'
import { comingRuns } from '../../../src/domain/night/coming.ts'
import { nightOf } from '../../../src/domain/night/window.ts'
import type { Project } from '../../../src/domain/project.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { readNight } from '../../../src/services/overview/night.ts'
import { NightRows } from '../../../src/services/overview/night-rows.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { addAccount, setRole } from '../../support/browser.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

const WINDOW = nightOf(Temporal.PlainDate.from('2026-03-04'), 'UTC')

const reader = (account: Account): Person => ({
  kind: 'person',
  accountId: account.id,
  email: account.email,
  address: '192.0.2.1',
  isAdministrator: false,
})

async function nightly(project: Project) {
  const spec = { name: 'Backup', kind: 'cron', schedule: '0 2 * * *', tz: 'UTC' } as const
  const { check } = await upsertCheck(t.app.deps, operatorIn(project), spec, true)
  await t.call('POST', `/ping/${check.id}`)
  return check
}

test('the log of one project that can not be read hides no other project', async () => {
  t = await testApp()
  const { project: broken } = await createProject(t.app.deps, 'Broken')
  await nightly(t.project)
  const unreadable = await nightly(broken)
  const account = await addAccount(t)
  for (const project of [t.project, broken]) await setRole(t, account, 'member', project)
  const { store } = t.app.deps
  const failing = replaced(store, {
    pings: {
      readLogsSince: async (logs, ...rest) => {
        if (logs.some(({ checkId }) => checkId === unreadable.id)) throw new Error('the disk is gone')
        return store.pings.readLogsSince(logs, ...rest)
      },
    },
  })
  t.clock.set('2026-03-05T01:00:00Z')
  const deps = { ...t.app.deps, store: failing, nights: new NightRows({ store: failing }) }
  const { night } = await readNight(deps, reader(account), WINDOW, 'UTC', t.clock.now())
  const read = night.groups.map(({ place }) => [place.actor.project.name, place.isRead])
  expect(Object.fromEntries(read)).toEqual({ [t.project.name]: true, Broken: false })
  expect(night.counts).toMatchObject({ due: 1, open: 1 })
  expect(t.log.map(({ message }) => message)).toContain('the night of a project could not be read')
})

test('what runs all the time is expected next by its last ping, long after the night', async () => {
  t = await testApp()
  const account = await addAccount(t)
  await setRole(t, account, 'member', t.project)
  const often = { name: 'Queue', timeout: 600, grace: 600 }
  const { check } = await upsertCheck(t.app.deps, operatorIn(t.project), often, true)
  const deps = { ...t.app.deps, nights: new NightRows(t.app.deps) }
  const next = async (now: string) => {
    t.clock.set(now)
    await t.call('POST', `/ping/${check.id}`)
    const { night } = await readNight(deps, reader(account), WINDOW, 'UTC', t.clock.now())
    return comingRuns(night).map(({ at }) => at.toString())
  }
  await next('2026-03-05T07:55:00Z')
  expect(await next('2026-03-05T08:01:00Z')).toEqual(['2026-03-05T08:11:00Z'])
  expect(await next('2026-03-05T15:00:00Z')).toEqual(['2026-03-05T15:10:00Z'])
})
