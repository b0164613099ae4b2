/** An administrator takes a backup by the button, downloads it, and copies commands; with and without the script. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { brokenRules } from './support/axe.ts'
import { administrator, openSiteWithAdministrator, type Site } from './support/site.ts'

let site: Site
let admin: Page
let folder: Folder
beforeAll(async () => {
  folder = folderOnDisk()
  site = await openSiteWithAdministrator({ DATABASE_URL: `sqlite:${folder.file('o.db')}` })
  admin = await site.tab({ as: await administrator(site), acceptDownloads: true })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(async () => {
  await site.close()
  folder.remove()
})

const kept = () => readdirSync(folder.file('backups'))

/** Opens the page, presses the button by the keyboard, and waits until the backup is in the list. */
async function backUp(page: Page, expected: number): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Backups' }).click()
  await page.getByRole('button', { name: 'Back up now' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: new RegExp(`^${expected} backups? in the folder$`) }).waitFor()
  await page.getByRole('button', { name: 'Back up now' }).waitFor()
}

test('a backup by the button is in the list, without a reload by hand, and nothing else of the folder is', async () => {
  mkdirSync(folder.file('backups'))
  const hostile = ['<img src=x onerror=alert(1)>.db', 'overdue-00000000-20260304T120000Z.db']
  for (const name of hostile) writeFileSync(`${folder.file('backups')}/${name}`, 'x')
  await backUp(admin, 1)
  for (const name of hostile) rmSync(`${folder.file('backups')}/${name}`)
  const [name = ''] = kept()
  expect(kept()).toHaveLength(1)
  expect(await admin.getByRole('rowheader', { name }).count()).toBe(1)
  expect(await brokenRules(admin)).toEqual([])
  await admin.setViewportSize({ width: 320, height: 600 })
  expect(await admin.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await admin.setViewportSize({ width: 1440, height: 900 })
})

test('it is downloaded whole', async () => {
  const [name = ''] = kept()
  const [file] = await Promise.all([
    admin.waitForEvent('download'),
    admin.getByRole('button', { name: `Download ${name}` }).click(),
  ])
  expect(file.suggestedFilename()).toBe(name)
  const [sent, whole] = [Bun.file(await file.path()), Bun.file(`${folder.file('backups')}/${name}`)]
  expect(Bun.hash(await sent.bytes())).toBe(Bun.hash(await whole.bytes()))
})

test('commands are copied with the paths of this server', async () => {
  const lines = admin.getByRole('group', { name: 'On this machine' })
  expect(await lines.textContent()).toContain(folder.file('move.db'))
  await admin.getByRole('button', { name: 'Copy: On this machine' }).waitFor()
})

test('the button works without the script', async () => {
  const page = await site.tab({ as: await administrator(site), javaScriptEnabled: false })
  await backUp(page, 2)
  expect(kept()).toHaveLength(2)
})
