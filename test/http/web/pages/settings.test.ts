/** The settings of a project. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Browser, memberWith } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/p/tests/settings'

let t: TestApp
let owner: Browser
beforeEach(async () => {
  t = await testApp()
  owner = await memberWith(t, 'owner', { email: 'ann@example.org' })
})
afterEach(() => t.close())

const name = async () => (await t.app.deps.store.findProject(t.project.id))?.name

test('a new name changes no address', async () => {
  const answer = await owner.post(PATH, { name: ' Harbour Books ' })
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=project-renamed`])
  const { text } = await owner.get(answer.location ?? '')
  expect(text).toContain('The project has its new name.')
  expect(text).toContain('<title>Project settings – Harbour Books – Overdue</title>')
  expect(text).toContain('<code>/p/tests/</code>')
  expect((await owner.get('/p/harbour-books/checks')).status).toBe(404)
})

test('the audit log says who gave it', async () => {
  t.clock.advance({ minutes: 1 })
  await owner.post(PATH, { name: 'Harbour Books' })
  expect(await t.app.deps.store.listAudit(1)).toMatchObject([
    {
      author: { kind: 'person', name: 'ann@example.org' },
      action: 'edit',
      before: { name: 'Tests' },
      after: { name: 'Harbour Books' },
    },
  ])
})

test('a name that is taken, empty or too long is refused and kept in the form', async () => {
  expect((await owner.post('/projects/new', { name: 'Taken' })).status).toBe(303)
  for (const given of ['Taken', ' ', 'x'.repeat(201)]) {
    const { status, text } = await owner.post(PATH, { name: given })
    expect(status).toBe(422)
    expect(text).toContain('id="name-error"')
    expect(text).toContain(`value="${given.trim()}"`)
  }
  expect(await name()).toBe('Tests')
})

test('who is no owner gets neither the page nor its link, and changes nothing', async () => {
  for (const role of ['manager', 'member', 'read-only'] as const) {
    const browser = await memberWith(t, role)
    expect((await browser.get(PATH)).status).toBe(403)
    expect((await browser.post(PATH, { name: 'Mine' })).status).toBe(403)
    expect((await browser.get('/p/tests/checks')).text).not.toContain(PATH)
  }
  expect((await owner.get('/p/tests/checks')).text).toContain(PATH)
  expect(await name()).toBe('Tests')
})
