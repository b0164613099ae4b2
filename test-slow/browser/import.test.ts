/** An administrator imports a Healthchecks on a page: sends its database, reads the report, and applies it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { administrator, openSiteWithAdministrator, type Site } from './support/site.ts'

const FIXTURE = join(import.meta.dir, '../../test/fixtures/healthchecks')
const answers = JSON.parse(readFileSync(join(FIXTURE, 'answers.json'), 'utf8'))

let site: Site
let admin: Page
let folder: string
let database: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'overdue-'))
  database = join(folder, 'hc.sqlite')
  writeFileSync(database, gunzipSync(readFileSync(join(FIXTURE, 'healthchecks.sqlite.gz'))))
  site = await openSiteWithAdministrator()
  admin = await site.tab({ as: await administrator(site) })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('the report comes by itself, and nothing is written before it is wanted', async () => {
  await admin.goto('/admin')
  await admin.getByRole('link', { name: 'Import', exact: true }).click()
  await admin.getByLabel('SECRET_KEY of the source').fill(answers.healthchecks.secret_key)
  await admin.getByLabel('File', { exact: true }).setInputFiles(database)
  await press(admin, 'Read and report')
  await admin.getByRole('heading', { name: 'What would happen' }).waitFor()
  expect(await admin.getByRole('group', { name: 'Projects' }).getByRole('row').count()).toBe(5)
  const other = await site.tab({ as: await administrator(site) })
  await other.goto('/admin/projects')
  expect(await other.getByText('alice').count()).toBe(0)
})

test('it is applied, and the projects are there with keys that work', async () => {
  await press(admin, 'Import all of this')
  await admin.getByText('Imported. Nothing was sent.').waitFor()
  await admin.goto('/admin/projects')
  expect(await admin.getByRole('group', { name: 'Projects' }).getByRole('row').count()).toBe(6)
  const key = answers.projects[0].keys.api_key
  const list = await fetch(`${site.server.baseUrl}/api/v3/checks/`, { headers: { 'x-api-key': key } })
  expect(list.status).toBe(200)
})

test('a project goes out as a file', async () => {
  await admin.goto('/projects')
  const path = await admin.locator('a[href*="/p/"]').first().getAttribute('href')
  await admin.goto(`${path?.split('/').slice(0, 3).join('/')}/settings`)
  await admin.getByRole('link', { name: 'Export project…' }).click()
  await admin.getByLabel('With the log').check()
  const [file] = await Promise.all([admin.waitForEvent('download'), press(admin, 'Download file')])
  const document = JSON.parse(await Bun.file(await file.path()).text())
  expect(document).toMatchObject({ format: 'overdue-project', version: 2, pings: expect.any(Array) })
})
