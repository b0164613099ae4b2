/** The page for choosing and copying a badge. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import { badgeUrls } from '../../../../../src/domain/badge-urls.ts'
import { escapeHtml } from '../../../../../src/lib/text/text.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/badges'

let t: TestApp
let reader: Browser
beforeEach(async () => {
  t = await testApp()
  reader = await memberWith(t, 'read-only')
})
afterEach(() => t.close())

const add = async (spec: { name: string; tags?: string }) =>
  (await upsertCheck(t.app.deps, operatorIn(t.project), spec, false)).check
/** Returns the contents of the fields to copy. */
const copied = (text: string) => Array.from(text.matchAll(/<code data-copy[^>]*>([^<]*)</g), ([, value = '']) => value)
const image = (text: string) => /<img src="([^"]*)"/.exec(text)?.[1] ?? ''

test('shows the badge of all checks on light and dark, and what to copy', async () => {
  await add({ name: 'Backup' })
  const { text } = await reader.get(PATH)
  const { site } = t.app.deps
  const { svg } = badgeUrls(site.links.siteRoot, t.project.badgeKey, '*', site.secret)
  expect(copied(text)).toEqual([svg, `![Overdue](${svg})`, escapeHtml(`<img src="${svg}" alt="Overdue">`)])
  expect(text.match(/<img src/g)).toHaveLength(2)
  expect(text).toContain('alt="Overdue: up, on dark"')
  const badge = await t.call('GET', image(text))
  expect([badge.status, badge.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('every subject, format and number of states leads to a badge that works', async () => {
  const check = await add({ name: 'Backup', tags: 'db a/b' })
  for (const subject of ['', '&tag=db', '&tag=a%2Fb', `&check=${check.publicId}`]) {
    for (const format of ['svg', 'json', 'shields']) {
      for (const states of [2, 3]) {
        const { text } = await reader.get(`${PATH}?format=${format}&states=${states}${subject}`)
        const [url = ''] = copied(text)
        const { status, headers } = await t.call('GET', new URL(url).pathname)
        expect([url, status]).toEqual([url, 200])
        expect(headers.get('content-type')).toBe(format === 'svg' ? 'image/svg+xml' : 'application/json')
        expect(copied(text)).toHaveLength({ svg: 3, json: 1, shields: 4 }[format] ?? 0)
      }
    }
  }
})

test('Shields draws what it reads here', async () => {
  await add({ name: 'Backup' })
  const [url = '', drawn = '', markdown] = copied((await reader.get(`${PATH}?format=shields`)).text)
  expect(new URL(drawn).searchParams.get('url')).toBe(url)
  expect(markdown).toBe(`![Overdue](${drawn})`)
})

test('the preview of JSON is what programs get', async () => {
  const check = await add({ name: 'Backup' })
  await t.call('POST', `/ping/${check.id}/fail`)
  const { text } = await reader.get(`${PATH}?format=json`)
  expect(text).toContain(escapeHtml('{"status":"down","total":1,"grace":0,"down":1}'))
})

test('a reader finds nothing there that would ping', async () => {
  const checks = [await add({ name: 'Backup' }), await add({ name: '' })]
  for (const { id, publicId, badgeKey } of checks) {
    const { text } = await reader.get(`${PATH}?check=${publicId}`)
    expect(text).toContain(badgeKey)
    for (const { id } of checks) expect(text).not.toContain(id)
    expect((await reader.get(`${PATH}?q=${id}`)).text).toContain('No tag or check matches')
  }
  expect((await reader.get(`${PATH}?check=${checks[1]?.publicId}`)).text).toContain('alt="unnamed: up, on light"')
})

test('a search finds tags and checks', async () => {
  await add({ name: 'Backup of the shop', tags: 'db' })
  await add({ name: 'Mail', tags: 'shopping' })
  await add({ name: 'Clock' })
  const { text } = await reader.get(`${PATH}?q=SHOP`)
  expect(text).toContain('<bdi>Backup of the shop</bdi>')
  expect(text).toContain('<bdi>shopping</bdi>')
  expect(text).not.toContain('<bdi>db</bdi>')
  expect(text).not.toContain('<bdi>Clock</bdi>')
})

test('lists are bounded, and say what they leave out', async () => {
  for (let number = 1; number <= 51; number++) await add({ name: `Job ${number}`, tags: `a${number} b${number}` })
  const { text } = await reader.get(PATH)
  expect(text.match(/<bdi>Job \d+<\/bdi>/g)).toHaveLength(50)
  expect(text).toContain('<bdi>Job 50</bdi>')
  expect(text.match(/<bdi>[ab]\d+<\/bdi>/g)).toHaveLength(100)
  expect(text).toContain('And 1 more')
  expect(text).toContain('And 2 more')
})

test('a tag without checks and a check of another project are not found', async () => {
  const { project } = await createProject(t.app.deps, 'Neighbours')
  const { check } = await upsertCheck(t.app.deps, operatorIn(project), { name: 'Theirs' }, false)
  expect((await reader.get(`${PATH}?tag=none`)).status).toBe(404)
  expect((await reader.get(`${PATH}?check=${check.publicId}`)).status).toBe(404)
})
