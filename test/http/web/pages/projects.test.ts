/** The list of projects, and the form for a new one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../src/domain/actor.ts'
import type { Project } from '../../../../src/domain/project.ts'
import { pauseCheck, upsertCheck } from '../../../../src/services/checks/checks.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { addAccount, administrator, type Browser, memberWith, setRole, signedIn } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const add = async (name: string) => (await createProject(t.app.deps, name)).project

/** Returns names and small print of the list, from its top. */
const listed = async (browser: Browser) => {
  const { text } = await browser.get('/projects')
  const rows = text.matchAll(/<li><a href="[^"]*"><svg class="st (\w+)".*?<bdi>(.*?)<\/bdi><\/b><small>(.*?)<\/small>/g)
  return Array.from(rows, ([, state, name, words]) => `${state} ${name}: ${words}`)
}

async function addDown(project: Project) {
  const { check } = await upsertCheck(t.app.deps, operatorIn(project), { timeout: 60, grace: 60 }, false)
  await t.call('GET', `/ping/${check.id}`)
  t.clock.advance({ minutes: 10 })
  await t.app.settle('overdue')
}

test('a person sees their own projects, those with checks that are down first, then by name', async () => {
  const account = await addAccount(t)
  await setRole(t, account, 'owner', await add('zebra 10'))
  await setRole(t, account, 'manager', await add('Zebra 9'))
  await setRole(t, account, 'read-only', await add('ÄRGER'))
  const last = await add('zz down')
  await setRole(t, account, 'member', last)
  await addDown(last)
  await add('of others')
  const browser = await signedIn(t, account)
  expect(await listed(browser)).toEqual([
    'down zz down: 1 check · 1 down · member · no owner',
    'new ÄRGER: 0 checks · read-only · no owner',
    'new Zebra 9: 0 checks · manager · no owner',
    'new zebra 10: 0 checks · owner',
  ])
  const { text } = await browser.get('/projects')
  expect(text).toContain('1 check is down.')
  expect(text).not.toContain('of others')
})

test('an administrator sees all projects, and which belong to no one', async () => {
  await memberWith(t, 'owner')
  await add('Nobody’s')
  expect(await listed(await administrator(t))).toEqual([
    'new Nobody’s: 0 checks · administrator · no owner',
    'new Tests: 0 checks · administrator',
  ])
})

test('the shape of a project is that of its checks: up only if one is up', async () => {
  const account = await addAccount(t)
  /** Adds a check in a project of its own, pinged before the others are late. */
  const addPinged = async (name: string) => {
    const project = await add(name)
    await setRole(t, account, 'read-only', project)
    const actor = operatorIn(project)
    const { check } = await upsertCheck(t.app.deps, actor, { timeout: 60, grace: 3_600 }, false)
    await t.call('GET', `/ping/${check.id}`)
    return { actor, check }
  }
  const addNew = ({ actor }: Awaited<ReturnType<typeof addPinged>>) =>
    upsertCheck(t.app.deps, actor, { name: 'another' }, false)
  const pause = ({ actor, check }: Awaited<ReturnType<typeof addPinged>>) => pauseCheck(t.app.deps, actor, check)
  await addNew(await addPinged('late'))
  await pause(await addPinged('paused'))
  const both = await addPinged('new and paused')
  await pause(both)
  await addNew(both)
  const { check: running } = await addPinged('running')
  t.clock.advance({ minutes: 5 })
  await t.call('GET', `/ping/${running.id}/start`)
  await addNew(await addPinged('up'))
  const browser = await signedIn(t, account)
  expect((await listed(browser)).map((row) => row.split(':')[0])).toEqual([
    'late late',
    'new new and paused',
    'paused paused',
    'up running',
    'up up',
  ])
})

test('who has no project is told what one is, and how to get one', async () => {
  const { text } = await (await signedIn(t, await addAccount(t))).get('/projects')
  expect(text).toContain('<h2>No projects</h2>')
  expect(text).toContain('ask to be added to one')
  expect(text).toContain('href="/projects/new"')
  expect(text).not.toContain('Tests')
})

test('a hostile name is shown as text, wherever it is', async () => {
  const account = await addAccount(t)
  const project = await add(`<img src=x onerror=alert(1)>"'\u202e`)
  await setRole(t, account, 'owner', project)
  const browser = await signedIn(t, account)
  for (const page of ['/projects', `/p/${project.slug}/checks`, `/p/${project.slug}/settings`]) {
    const { status, text } = await browser.get(page)
    expect(status).toBe(200)
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;')
    expect(text).not.toContain('<img')
    // The title and the labels have no markup that would enclose it.
    expect(/<title>(.*?)<\/title>/.exec(text)?.[1]).not.toContain('\u202e')
  }
})

describe('the form for a new project', () => {
  test('makes a project that its maker owns, and leads to it', async () => {
    const browser = await signedIn(t, await addAccount(t))
    const answer = await browser.post('/projects/new', { name: '  Harbour Books ' })
    expect(answer.status).toBe(303)
    expect(answer.location).toMatch(/^\/p\/harbour-books-[a-z0-9]{8}\/checks\?done=project-made$/)
    expect((await browser.get(answer.location ?? '')).text).toContain('Project created.')
    expect(await listed(browser)).toEqual(['new Harbour Books: 0 checks · owner'])
  })

  test.each([
    ['Tests', 'Tests'],
    ['', 'A project needs a name of 1 to 200 characters.'],
    ['x'.repeat(201), 'A project needs a name of 1 to 200 characters.'],
  ])('with the name %j says what is wrong, and keeps it', async (name, words) => {
    const browser = await memberWith(t, 'read-only')
    const { status, text } = await browser.post('/projects/new', { name })
    expect(status).toBe(422)
    expect(/id="name-error">.*?<span>(.*?)<\/span>/.exec(text)?.[1]).toContain(words)
    expect(text).toContain(`value="${name}"`)
    expect(await t.app.deps.store.projects.list()).toHaveLength(1)
  })
})
