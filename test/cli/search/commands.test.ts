/** `overdue search`, on the database of a server. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let place: TestDatabase
let t: TestApp
let uuid: string
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url } })
  await createProject(t.app.deps, 'Other')
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Backup crew', settings: webhook() })
  const json = { name: 'Harbour backup', tags: 'db' }
  uuid = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
  await t.call('POST', `/ping/${uuid}/fail`, { body: 'rsync error: no space left on device\u001b[2J' })
  await t.app.settle('search')
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

const search = (...words: string[]) => run(['search', ...words], { DATABASE_URL: place.url, TZ: 'UTC' })

test('finds checks and channels by their names', async () => {
  expect((await search('backup')).out).toBe(
    'Checks\ndown  Harbour backup  Tests\n\nChannels\nBackup crew  webhook  Tests\n',
  )
})

test('finds pings by what they brought, and shows the words around it', async () => {
  expect((await search('rsync')).out).toBe(
    'Pings\n2026-03-04T12:00:00+00:00  Harbour backup  Failed #1  Tests\n  rsync error: no space left on device\n',
  )
})

test('takes several words in one argument for a phrase', async () => {
  expect((await search('no space left')).out).toStartWith('Pings\n')
  expect((await search('left space')).out).toBe('Nothing found in 1 check and 1 ping.\n')
  expect((await search('left', 'space')).out).toStartWith('Pings\n')
})

test('has every fact with --json', async () => {
  expect(JSON.parse((await search('harbour', '--json')).out)).toEqual({
    checks: [{ uuid, name: 'Harbour backup', state: 'down', project: { id: t.project.id, name: 'Tests' } }],
    pings: [],
    channels: [],
    has_more: { checks: false, pings: false, channels: false },
  })
})

test('refuses what has no word', async () => {
  expect(await search('!?')).toEqual({
    code: 2,
    out: '',
    err: 'no word to search for\n→ use letters or digits\n',
  })
})
