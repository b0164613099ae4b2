/** The form in which members edit the status page of their project. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { deleteCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { anAuthor, only } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/status-page'
const SETTINGS = { action: 'save', slug: 'harbour', title: 'Harbour Books', tz: 'Europe/Riga', public: 'on' }
const { public: _, ...NOT_PUBLIC } = SETTINGS

let t: TestApp
let member: Browser
beforeEach(async () => {
  t = await testApp({ env: { PUBLIC_RATE_LIMIT: '0' } })
  member = await memberWith(t, 'member', { email: 'ann@example.org' })
})
afterEach(() => t.close())

const make = async (name: string, tags = '') => (await upsertCheck(t.app.deps, t.actor, { name, tags }, false)).check
const stored = () => t.app.deps.store.statusPages.find(t.project.id)
const services = async () => (await stored())?.sections.flatMap((section) => section.services.map(({ name }) => name))
const publicText = async () => {
  t.clock.advance({ seconds: 31 })
  return (await t.call('GET', '/status/harbour')).text()
}
/** Creates another project of the same member. */
const makeOther = async () => {
  await member.post('/projects/new', { name: 'Other' })
  return only(await t.app.deps.store.projects.findByIdOrName('Other'))
}
const addSection = async (name: string, tag = '') => {
  const { location } = await member.post(PATH, { action: 'add', 'section-name': name, 'section-tag': tag })
  return location ?? ''
}

describe('the page', () => {
  test('is off until somebody saves it as public', async () => {
    const { text } = await member.get(PATH)
    expect(text).toContain('Not public')
    expect(await stored()).toBeNull()
    expect((await member.post(PATH, SETTINGS)).location).toBe(`${PATH}?done=saved`)
    expect(await publicText()).toContain('<h1><bdi>Harbour Books</bdi></h1>')
    expect((await member.get(PATH)).text).toContain('href="/status/harbour"')
    await member.post(PATH, NOT_PUBLIC)
    expect(await publicText()).not.toContain('Harbour Books')
  })

  test('is refused with every mistake at its field, and keeps what was typed', async () => {
    const wrong = { ...SETTINGS, slug: 'Harbour Books', title: ' ', text: 'x'.repeat(1_001), tz: 'Europe/Atlantis' }
    const { status, text } = await member.post(PATH, wrong)
    expect(status).toBe(422)
    for (const name of ['slug', 'title', 'text', 'tz']) expect(text).toContain(`id="${name}-error"`)
    expect(text).toContain('value="Harbour Books"')
    expect(await stored()).toBeNull()
  })

  test('gets no address that the page of another project has', async () => {
    await member.post(PATH, SETTINGS)
    const { slug } = await makeOther()
    const { status, text } = await member.post(`/p/${slug}/status-page`, SETTINGS)
    expect(status).toBe(422)
    expect(text).toContain('id="slug-error"')
  })

  test('leads who may only read to the public page, while there is one', async () => {
    const reader = await memberWith(t, 'read-only')
    expect((await reader.get('/p/tests/checks')).text).toContain(`href="${PATH}"`)
    await member.post(PATH, NOT_PUBLIC)
    expect((await reader.get(PATH)).text).toContain('has no public status page')
    await member.post(PATH, SETTINGS)
    const { text } = await reader.get(PATH)
    expect(text).toContain('<a href="/status/harbour">')
    expect(text).not.toContain('name="slug"')
  })

  test('is in the audit log', async () => {
    t.clock.advance({ minutes: 1 })
    await member.post(PATH, SETTINGS)
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      { author: { name: 'ann@example.org' }, subject: { kind: 'status-page' }, after: { public: true } },
    ])
  })

  test('begins in the zone of the account, at an address that tells nothing of the project', async () => {
    const { store } = t.app.deps
    const account = await store.accounts.find('ann@example.org')
    await store.by(anAuthor()).accounts.change(account?.id ?? '', (old) => ({ ...old, tz: 'Europe/Riga' }), null)
    const { text } = await member.get(PATH)
    expect(text).toMatch(/name="slug"[^>]* value="status-[a-z0-9]{10}"/)
    expect(text).toMatch(/name="tz"[^>]* value="Europe\/Riga"/)
    await addSection('Shop')
    expect(await stored()).toMatchObject({
      tz: 'Europe/Riga',
      slug: expect.stringMatching(/^status-/),
      isPublic: false,
    })
  })

  test('is shown as it would be before it is public', async () => {
    await member.post(PATH, NOT_PUBLIC)
    const { text, headers } = await member.get(`${PATH}/preview`)
    expect(text).toContain('<h1><bdi>Harbour Books</bdi></h1>')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/harbour\.(?:atom|json)/)
    expect(text).toContain('Nobody else sees this page: it is not public.')
    await member.post(PATH, SETTINGS)
    expect((await member.get(`${PATH}/preview`)).text).toContain('href="/status/harbour.atom"')
  })

  test('says in its preview alone that it is one, with the way back', async () => {
    await member.post(PATH, SETTINGS)
    const back = `<a href="${PATH}">Back to the settings</a>`
    expect((await member.get(`${PATH}/preview`)).text).toContain(back)
    expect(await publicText()).not.toMatch(/Preview|\/p\//)
  })

  test('refuses an action that it does not know', async () => {
    expect((await member.post(PATH, { action: 'explode' })).status).toBe(400)
  })
})

describe('a section', () => {
  beforeEach(() => member.post(PATH, SETTINGS))

  test('shows only checks whose switch is on, under the names that were typed', async () => {
    const [stock, other] = [await make('stock-etl'), await make('secret-job')]
    const path = await addSection('Shop')
    const { text } = await member.get(path)
    expect(text).toContain('secret-job')
    const typed = {
      name: 'Web shop',
      check: stock.publicId,
      [`show-${stock.publicId}`]: 'on',
      [`name-${stock.publicId}`]: 'Stock levels',
      [`text-${stock.publicId}`]: 'An hour old at most',
      [`name-${other.publicId}`]: 'secret-job',
    }
    expect((await member.post(path, typed)).status).toBe(303)
    const page = await publicText()
    for (const word of ['Web shop', 'Stock levels', 'An hour old at most']) expect(page).toContain(word)
    expect(page).not.toMatch(/stock-etl|secret-job/)
    await member.post(path, { name: 'Web shop', check: stock.publicId, [`name-${stock.publicId}`]: 'Stock levels' })
    expect(await services()).toEqual([])
  })

  test('proposes a public name, without where the job runs, and publishes none that nobody has saved', async () => {
    const { publicId } = await make('stock-levels on db01.internal')
    const path = await addSection('Shop')
    expect((await member.get(path)).text).toMatch(new RegExp(`name="name-${publicId}"[^>]* value="Stock levels"`))
    expect(await services()).toEqual([])
    const { status } = await member.post(path, { name: 'Shop', check: publicId, [`show-${publicId}`]: 'on' })
    expect(status).toBe(422)
  })

  test('loses the checks that the project no longer has, which then count no more', async () => {
    const [gone, kept] = [await make('a'), await make('b')]
    const path = await addSection('Shop')
    for (const { publicId } of [gone, kept]) {
      await member.post(path, { name: 'Shop', check: publicId, [`show-${publicId}`]: 'on', [`name-${publicId}`]: 'X' })
    }
    await deleteCheck(t.app.deps, t.actor, gone)
    expect((await member.get(PATH)).text).toContain('1 service')
    await member.post(PATH, SETTINGS)
    expect((await stored())?.sections).toMatchObject([{ services: [{ checkId: kept.id }] }])
  })

  test('proposes the checks of its tag, and those that match a search', async () => {
    await make('stock-etl', 'shop night')
    await make('ledger', 'office')
    const ofTag = await member.get(await addSection('Shop', 'shop'))
    expect(ofTag.text).toContain('stock-etl')
    expect(ofTag.text).not.toContain('ledger')
    const found = await member.get(`${await addSection('All')}?q=LEDG`)
    expect(found.text).toContain('ledger')
    expect(found.text).not.toContain('stock-etl')
  })

  test('keeps its services that a form does not name, in the order that somebody gave them', async () => {
    const checks = [await make('a'), await make('b'), await make('c')]
    const path = await addSection('Shop')
    for (const { publicId, name } of checks) {
      await member.post(path, {
        name: 'Shop',
        check: publicId,
        [`show-${publicId}`]: 'on',
        [`name-${publicId}`]: name.toUpperCase(),
      })
    }
    expect(await services()).toEqual(['A', 'B', 'C'])
    const up = checks[2]?.publicId ?? ''
    await member.post(path, { name: 'Shop', check: up, [`show-${up}`]: 'on', [`name-${up}`]: 'C', up })
    expect(await services()).toEqual(['A', 'C', 'B'])
  })

  test('is refused with every mistake at its field', async () => {
    const { publicId } = await make('stock-etl')
    const path = await addSection('Shop')
    const { status, text } = await member.post(path, {
      name: '',
      check: publicId,
      [`show-${publicId}`]: 'on',
      [`name-${publicId}`]: ' ',
      [`text-${publicId}`]: 'x'.repeat(201),
    })
    expect(status).toBe(422)
    for (const name of ['name', `name-${publicId}`, `text-${publicId}`]) expect(text).toContain(`id="${name}-error"`)
    expect(text).toContain('x'.repeat(201))
    const bad = await member.post(PATH, { action: 'add', 'section-name': '', 'section-tag': 'two tags' })
    expect(bad.status).toBe(422)
    expect(bad.text).toContain('id="section-name-error"')
    expect(bad.text).toContain('id="section-tag-error"')
  })

  test('is not found from another project, and takes no check of one', async () => {
    const path = await addSection('Shop')
    const { id, slug } = await makeOther()
    const elsewhere = path.replace('tests', slug)
    expect((await member.get(elsewhere)).status).toBe(404)
    const { publicId } = await make('stock-etl')
    await member.post(`/p/${slug}/status-page`, { action: 'add', 'section-name': 'Theirs' })
    const theirs = async () => (await t.app.deps.store.statusPages.find(id))?.sections ?? []
    const own = `/p/${slug}/status-page/sections/${(await theirs())[0]?.id}`
    const fields = { name: 'Theirs', check: publicId, [`show-${publicId}`]: 'on', [`name-${publicId}`]: 'Stock' }
    expect((await member.post(own, fields)).status).toBe(303)
    expect(await theirs()).toMatchObject([{ services: [] }])
  })

  test('moves up, and is removed with its names', async () => {
    await addSection('One')
    await addSection('Two')
    const id = (await stored())?.sections[1]?.id ?? ''
    await member.post(PATH, { action: 'up', section: id })
    expect((await stored())?.sections.map(({ name }) => name)).toEqual(['Two', 'One'])
    expect((await member.post(PATH, { action: 'remove', section: id })).location).toBe(`${PATH}?done=section-removed`)
    expect((await stored())?.sections.map(({ name }) => name)).toEqual(['One'])
  })

  test('that would be one too many is refused', async () => {
    for (let number = 1; number <= 20; number++) await addSection(`Section ${number}`)
    const { status, text } = await member.post(PATH, { action: 'add', 'section-name': 'More' })
    expect(status).toBe(422)
    expect(text).toContain('A status page has at most 20 sections.')
  })
})
