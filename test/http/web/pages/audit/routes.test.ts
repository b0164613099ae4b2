/** The audit log as pages, of a project and of the server, and as files. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Author } from '../../../../../src/domain/author.ts'
import { type Project, storedKey } from '../../../../../src/domain/project.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { administrator, type Browser, memberWith } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { anAccount, anAuthor, aProject } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let manager: Browser & { readonly account: { readonly email: string } }
beforeEach(async () => {
  t = await testApp()
  manager = await memberWith(t, 'manager', { email: 'mia@example.org' })
  t.clock.advance({ minutes: 1 })
})
afterEach(() => t.close())

const store = () => t.app.deps.store
const path = (search = '') => `/p/${t.project.slug}/audit${search}`

/** Renames the project. */
const rename = (name: string, over: Partial<Author> = {}, project: Project = t.project) =>
  store()
    .by(anAuthor({ at: t.clock.now(), ...over }))
    .projects.edit(project.id, { name })
const bob = { kind: 'person', accountId: 'b', name: 'bob@example.org', address: '192.0.2.9' } as const

/** Returns the text of each row before it is opened, newest first. */
async function rows(search = '', browser: Browser = manager, at = path()): Promise<string[]> {
  const { text, status } = await browser.get(at + search)
  expect(status).toBe(200)
  return Array.from(text.matchAll(/<span class="what">(.*?)<\/span><span class="when">/g), ([, row = '']) =>
    wordsOf(row),
  )
}
const olderOf = (text: string) => /class="rest"><a[^>]*href="[^"]*(\?[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

describe('the list', () => {
  test('says who changed what, newest first, and opens to what it was and is', async () => {
    await rename('Ships', bob)
    t.clock.advance({ minutes: 5 })
    await rename('Boats', { kind: 'key', name: 'abcd1234' })
    const { text } = await manager.get(path())
    const [first, second, ...others] = await rows()
    expect([first, second]).toEqual([
      'The API key abcd1234 changed the project Boats',
      'bob@example.org changed the project Ships',
    ])
    expect(others).toContain('A command created the project Tests')
    expect(wordsOf(text)).toContain('Field Before After name Ships Boats')
    expect(wordsOf(text)).toContain('Address 192.0.2.9')
    expect(text).toContain('5 min ago')
  })

  test('is filtered by name, author, kind, action and days in the zone of the reader', async () => {
    const day = await memberWith(t, 'owner', { tz: 'Pacific/Auckland' })
    await rename('Ships', bob)
    t.clock.advance({ hours: 48 })
    await rename('Boats')
    await store()
      .by(anAuthor({ at: t.clock.now() }))
      .accounts.create(anAccount({ email: 'new@example.org' }))
    expect(await rows('?q=BOAT')).toEqual(['A command changed the project Boats'])
    expect(await rows('?who=Bob@')).toEqual(['bob@example.org changed the project Ships'])
    expect(await rows('?who=command&kind=project&action=edit')).toEqual(['A command changed the project Boats'])
    expect(await rows('?kind=status-page')).toEqual([])
    expect(await rows('?action=delete')).toEqual([])
    // 2026-06-17 at noon in UTC is the 18th in Auckland.
    const today = t.clock.now().toZonedDateTimeISO('Pacific/Auckland').toPlainDate()
    expect(await rows(`?since=${today}&kind=project`, day)).toEqual(['A command changed the project Boats'])
    expect(await rows(`?until=${today.subtract({ days: 1 })}&who=bob`, day)).toHaveLength(1)
    expect(await rows(`?until=${today.subtract({ days: 3 })}&who=bob`, day)).toEqual([])
  })

  test('keeps what was typed in its filters, and leaves out what means nothing', async () => {
    const { text } = await manager.get(path('?q=a%22b&who=bob&kind=check&since=2026-06-01&until=2026-02-30&action=x'))
    expect(text).toContain('value="a&quot;b"')
    expect(text).toContain('value="bob"')
    expect(text).toContain('<option value="check" selected>')
    expect(text).toContain('name="since" value="2026-06-01"')
    expect(text).toContain('name="until" value=""')
  })

  test('goes on with older rows, without a gap and without repeating any', async () => {
    const at = t.clock.now()
    for (let index = 0; index < 120; index++)
      await rename(`Name ${index}`, { ...bob, at: at.add({ seconds: index >> 2 }) })
    const seen: string[] = []
    let search: string | undefined = '?who=bob'
    for (let page = 0; page < 4 && search !== undefined; page++) {
      seen.push(...(await rows(search)))
      search = olderOf((await manager.get(path(search))).text)
    }
    expect(seen).toHaveLength(120)
    expect(new Set(seen).size).toBe(120)
    expect(seen[0]).toMatch(/Name 11[6-9]$/)
  })

  test('looks at 5,000 rows for a page, and then offers to look further back', async () => {
    await rename('Wanted', bob)
    const later = t.clock.now().add({ seconds: 1 })
    const project = aProject({ name: 'Keys' })
    const one = storedKey(project, 'read-only', 'k', 's', later)
    const keys = Array.from({ length: 5_000 }, (_, index) => ({ ...one, lookup: String(index) }))
    await store()
      .by(anAuthor({ at: later }))
      .projects.create(project, keys)
    const admin = await administrator(t)
    const { text } = await admin.get('/admin/audit?who=bob')
    expect(text).toContain('None of the newest changes matches.')
    const older = await rows(olderOf(text), admin, '/admin/audit')
    expect(older).toEqual(['bob@example.org changed the project Wanted in Wanted'])
  })

  test('shows hostile names, authors and values as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    await rename(hostile, { ...bob, name: hostile, address: hostile })
    const { text } = await manager.get(path(`?q=${encodeURIComponent(hostile)}`))
    expect(await rows(`?who=${encodeURIComponent(hostile)}`)).toHaveLength(1)
    expect(text).not.toContain('<img')
  })

  test('has no rows of other projects', async () => {
    const { project: other } = await createProject(t.app.deps, 'Other')
    await rename('Neighbours', {}, other)
    expect((await manager.get(path())).text).not.toContain('Neighbours')
  })
})

describe('the log of the server', () => {
  test('has the rows of all projects with their names, and those of accounts', async () => {
    const admin = await administrator(t)
    await createProject(t.app.deps, 'Harbour')
    await store()
      .by(anAuthor({ at: t.clock.now() }))
      .accounts.create(anAccount({ email: 'new@example.org' }))
    const found = await rows('', admin, '/admin/audit')
    expect(found).toContain('A command created the project Harbour in Harbour')
    expect(found).toContain('A command created the account new@example.org')
  })
})

describe('an export', () => {
  const lines = async (search = '', browser: Browser = manager, at = path('.jsonl')) => {
    const { text, headers } = await browser.get(at + search)
    expect(headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit[\w-]*\.jsonl"$/)
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }

  test('has a line for each row, with what it was and is', async () => {
    await rename('Ships', bob)
    const [first] = await lines('?who=bob')
    expect(first).toEqual({
      time: t.clock.now().toString({ smallestUnit: 'microsecond' }),
      change_id: expect.any(String),
      author: { kind: 'person', account_id: 'b', name: 'bob@example.org', address: '192.0.2.9' },
      project_id: t.project.id,
      action: 'edit',
      subject: { kind: 'project', id: t.project.id, name: 'Ships' },
      before: { name: 'Tests' },
      after: { name: 'Ships' },
    })
  })

  test('has all that the filters find, also more than a page', async () => {
    for (let index = 0; index < 450; index++) await rename(`Name ${index}`, { ...bob })
    await rename('Last')
    const found = await lines('?who=bob')
    expect(found).toHaveLength(450)
    expect(new Set(found.map(({ change_id }) => change_id)).size).toBe(450)
    const admin = await administrator(t)
    const all = await store().audit.list(1_000)
    expect(await lines('', admin, '/admin/audit.jsonl')).toHaveLength(all.length)
  })

  test('is offered with the same filters', async () => {
    await rename('Ships', bob)
    expect((await manager.get(path('?who=bob'))).text).toContain(`href="${path('.jsonl?who=bob')}"`)
  })
})
