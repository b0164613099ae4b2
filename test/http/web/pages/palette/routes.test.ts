/** Contents of the palette from the server: only checks, tags and commands that the reader may see and use. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import type { Project } from '../../../../../src/domain/project.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { PALETTE_CHECKS } from '../../../../../src/services/search/palette-checks.ts'
import { addAccount, administrator, type Browser, memberWith, setRole, signedIn } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

async function make(spec: CheckSpec, project: Project = t.project): Promise<Check> {
  return (await upsertCheck(t.app.deps, operatorIn(project), spec, true)).check
}

const ping = (check: Check, path = '', body = '') => t.call('POST', `/ping/${check.id}${path}`, { body })

interface Option {
  readonly words: string
  readonly href: string
  readonly tag: string
}

/** Returns the options of a part, in order. */
function partOf(fragment: string, name: string): readonly Option[] {
  const [, part = ''] = new RegExp(`<div data-part="${name}"[^>]*>([\\s\\S]*?)</div>`).exec(fragment) ?? []
  return Array.from(part.matchAll(/(<a [^>]*>)([\s\S]*?)<\/a>/g), ([, tag = '', inner = '']) => ({
    words: wordsOf(inner.replace('<small>', ' <small>')),
    href: /href="([^"]*)"/.exec(tag)?.[1] ?? '',
    tag,
  }))
}

async function palette(browser: Browser, path = `/palette?p=${t.project.slug}`) {
  const { status, text } = await browser.get(path)
  expect(status).toBe(200)
  const words = (name: string) => partOf(text, name).map((option) => option.words)
  return { text, part: (name: string) => partOf(text, name), words }
}

describe('checks', () => {
  test('are listed with their state in words, those that need attention first, then by name', async () => {
    const started = await make({ name: 'Export' })
    const failed = await make({ name: 'Zeta import', timeout: 3600, grace: 3600 })
    const fine = await make({ name: 'Backup', tags: 'db nightly', slug: 'backup' })
    await make({ name: 'Archive' })
    await ping(fine, '/start')
    t.clock.advance({ minutes: 2 })
    await ping(fine)
    await ping(failed, '/fail')
    await ping(started, '/start')
    t.clock.advance({ minutes: 5 })
    const { part, words } = await palette(await memberWith(t, 'read-only'))
    expect(words('checks')).toEqual([
      'Zeta import Down for 5 min · Tests',
      'Archive New, not pinged yet · Tests',
      'Backup Up, ran 5 min ago, took 2 min · Tests',
      'Export Running for 5 min · Tests',
    ])
    const [zeta, , backup] = part('checks')
    expect(zeta?.tag).toContain(' data-problem')
    expect(backup?.tag).not.toContain(' data-problem')
    expect(backup?.tag).toContain('data-find="db nightly backup"')
    expect(backup?.href).toBe(`/p/${t.project.slug}/checks/${fine.publicId}`)
  })

  test('are those of all projects that the reader may see, and of no other', async () => {
    const { project: other } = await createProject(t.app.deps, 'Neighbours')
    await make({ name: 'Own job', tags: 'mine' })
    await make({ name: 'Foreign job', tags: 'theirs' }, other)
    const account = await addAccount(t)
    await setRole(t, account, 'owner')
    const { text, words } = await palette(await signedIn(t, account), `/palette?p=${other.slug}`)
    expect(words('checks')).toEqual(['Own job New, not pinged yet · Tests'])
    expect(words('tags')).toEqual(['Tag mine 1 check · Tests'])
    expect(text).not.toMatch(/Foreign|Neighbours|theirs/)
    expect((await palette(await administrator(t))).words('checks')).toHaveLength(2)
  })

  test('beyond the first thousand are left to the search, and those of the project of the page come before others', async () => {
    const { project: other } = await createProject(t.app.deps, 'Neighbours')
    for (let n = 0; n < PALETTE_CHECKS; n++) await make({ name: `Old ${n}`, tags: 'common' })
    await make({ name: 'Here', tags: 'common' }, other)
    const admin = await administrator(t)
    const here = await palette(admin, `/palette?p=${other.slug}`)
    expect(here.words('checks')).toHaveLength(PALETTE_CHECKS)
    expect(here.text).toContain('<div data-part="checks" data-cut>')
    expect(here.words('checks').some((words) => words.startsWith('Here '))).toBe(true)
    expect(here.words('tags')[0]).toBe('Tag common Tests')
    const found = partOf((await admin.get('/palette/output?q=old+999')).text, 'checks')
    expect(found.map(({ words }) => words)).toEqual(['Old 999 New · Tests'])
  }, 60_000)

  test('with hostile names and tags are text', async () => {
    await make({ name: '<img src=x onerror=alert(1)>"\u0007', tags: '"><script> \u202eevil' })
    const { text } = await palette(await memberWith(t, 'member'))
    for (const part of ['<img', '<script', '\u0007']) expect(text).not.toContain(part)
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})

describe('commands', () => {
  const IN_PROJECT = ['New check n', 'Paste a crontab', 'Add an integration', 'Mute all checks…']

  test.each([
    ['read-only', []],
    ['member', IN_PROJECT],
    ['manager', [...IN_PROJECT, 'Invite somebody']],
  ] as const)('of %s are those that the role allows', async (role, own) => {
    const check = await make({ name: 'Backup' })
    const reader = await memberWith(t, role)
    const { part, words } = await palette(reader)
    expect(words('commands')).toEqual([...own, 'New project', 'Sign out'])
    expect(part('checks')[0]?.tag.includes(' data-write')).toBe(role !== 'read-only')
    const links = part('commands').filter(({ tag, href }) => !tag.includes('data-sends') && !href.endsWith('/crontab'))
    for (const { href } of links)
      expect([href, (await reader.get(href.replace(/#.*/, ''))).status]).toEqual([href, 200])
    const of = part(role === 'read-only' ? 'read' : 'write').filter(({ tag }) => !tag.includes('data-sends'))
    for (const { href } of of) {
      const path = `/p/${t.project.slug}/checks/${check.publicId}${href}`.replace(/#.*/, '')
      expect([path, (await reader.get(path)).status]).toEqual([path, 200])
    }
  })

  test('for a check that destroy open its page, and the others are those of its page', async () => {
    const { part } = await palette(await memberWith(t, 'member'))
    const sent = part('write').filter(({ tag }) => tag.includes('data-sends'))
    expect(sent.map(({ words, tag }) => [words, /data-sends="([^"]*)"/.exec(tag)?.[1]])).toEqual([
      ['I’m on it a', 'action=take'],
      ['Pause p', 'action=pause'],
      ['Resume p', 'action=resume'],
      ['Ping now', 'action=ping'],
    ])
    expect(part('read').map(({ words }) => words)).toEqual(['Open the log l'])
  })

  test('make checks in each project where the reader may, on a page of no project', async () => {
    const { project: other } = await createProject(t.app.deps, 'Neighbours')
    const account = await addAccount(t)
    await setRole(t, account, 'member')
    await setRole(t, account, 'read-only', other)
    const browser = await signedIn(t, account)
    expect((await palette(browser, '/palette')).words('commands')).toEqual([
      'New check Tests',
      'New project',
      'Sign out',
    ])
    expect((await palette(browser, `/palette?p=${other.slug}`)).words('commands')[0]).toBe('New check Tests')
  })

  test('lead to the pages about the server for administrators only', async () => {
    expect((await palette(await administrator(t))).words('places')).toContain('Server settings')
    expect((await palette(await memberWith(t, 'owner'))).words('places')).not.toContain('Server settings')
  })
})

describe('a ping URL', () => {
  test('is told only to who may write, and is not in what the palette lists', async () => {
    const check = await make({ name: 'Backup' })
    const path = `/p/${t.project.slug}/checks/${check.publicId}/ping-url`
    const member = await memberWith(t, 'member')
    const { status, text } = await member.get(path)
    expect([status, text]).toEqual([200, `${t.app.deps.site.links.pingEndpoint}${check.id}`])
    const reader = await memberWith(t, 'read-only')
    expect((await reader.get(path)).status).toBe(403)
    expect((await palette(member)).text).not.toContain(check.id)
  })
})

describe('job output', () => {
  test('is found with its check, its time and the words around it, and with a link to all results', async () => {
    const check = await make({ name: 'Backup' })
    for (let n = 0; n < 7; n++) await ping(check, '', `wrote 12 GB <b>to</b> https://h.example/ping/${check.id}`)
    for (let round = 0; round < 3; round++) {
      await t.app.settle('search')
      t.clock.advance({ seconds: 1 })
    }
    const reader = await memberWith(t, 'read-only')
    const { text } = await reader.get('/palette/output?q=wrote')
    const found = partOf(text, 'output')
    expect(found).toHaveLength(6)
    expect(found[0]?.href).toBe(`/p/${t.project.slug}/checks/${check.publicId}/log/7`)
    expect(found[0]?.words).toMatch(
      /^Backup, at \d\d:\d\d wrote 12 GB &lt;b&gt;to&lt;\/b&gt; https:\/\/h.example\/ping\/…/,
    )
    expect(found[5]).toMatchObject({ words: 'All results for “ wrote ”', href: '/search?q=wrote' })
    expect(text).toContain('<mark>wrote</mark>')
    expect(text).not.toContain(check.id)
  })

  test('is not searched without a word', async () => {
    const member = await memberWith(t, 'member')
    for (const q of ['', '%22%22', '%ff']) expect((await member.get(`/palette/output?q=${q}`)).status).toBe(200)
    expect((await member.get('/palette/output?q=')).text).toBe('')
  })
})
