/** The search over everything that a person may see. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import type { Project } from '../../../../../src/domain/project.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createProject, setSearch } from '../../../../../src/services/projects/projects.ts'
import { addAccount, administrator, type Browser, memberWith, setRole, signedIn } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { aChannel, anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

async function make(spec: CheckSpec, project: Project = t.project): Promise<Check> {
  return (await upsertCheck(t.app.deps, operatorIn(project), spec, true)).check
}

const ping = (check: Check, body: string) => t.call('POST', `/ping/${check.id}`, { body })

/** Runs the loop until it has nothing to do; the first run may only begin. */
async function readAll(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await t.app.settle('search')
    t.clock.advance({ seconds: 1 })
  }
}

const plain = (html: string) => wordsOf(html.replace(/<mark>(.*?)<\/mark>/g, '[$1]'))

/** Returns the lines of each group, without tags, with hits in brackets. */
async function search(browser: Browser, q: string) {
  const { text: page, status } = await browser.get(`/search?${new URLSearchParams({ q })}`)
  expect(status).toBe(200)
  const [, main = ''] = /<div class="stack" id="found">([\s\S]*?)<noscript>/.exec(page) ?? []
  const group = (title: string) => {
    const [, lines = ''] =
      new RegExp(`id="found-${title}"[\\s\\S]*?<ul class="hits">([\\s\\S]*?)</ul>`).exec(main) ?? []
    return lines
      .split('</li>')
      .map(plain)
      .filter((line) => line !== '')
  }
  const links = Array.from(main.matchAll(/href="([^"]*)"/g), ([, link = '']) => link)
  return {
    page,
    main,
    text: plain(main),
    checks: group('checks'),
    pings: group('pings'),
    channels: group('integrations'),
    links,
  }
}

describe('the search', () => {
  test('finds checks, what pings brought and integrations, each with its project and a link', async () => {
    const check = await make({ name: 'Nightly backup', tags: 'db prod', desc: 'to the offsite store' })
    await make({ name: 'Invoices', slug: 'invoices' })
    await t.app.deps.store.by(anAuthor()).channels.create(aChannel(t.project, { name: 'Backup team' }))
    await ping(check, 'pg_dump: backup finished <b>in</b> 12 s')
    await readAll()
    const member = await memberWith(t, 'member')
    const found = await search(member, 'backup')
    expect(found.checks).toEqual(['Nightly backup Up Tests'])
    expect(found.pings).toEqual([
      expect.stringMatching(
        /^Nightly backup, ping 1 OK at 12:00 Tests pg_dump: \[backup\] finished &lt;b&gt;in&lt;\/b&gt; 12 s$/,
      ),
    ])
    expect(found.channels).toEqual(['Backup team Webhook Tests'])
    const page = `/p/${t.project.slug}/checks/${check.publicId}`
    expect(found.links).toEqual([page, `${page}/log/1`])
    expect((await member.get(`${page}/log/1`)).status).toBe(200)
    for (const q of ['offsite', 'PROD db', 'nightly-backup', check.publicId, check.id]) {
      expect((await search(member, q)).checks).toHaveLength(1)
    }
    expect((await search(member, 'invo')).checks).toHaveLength(1)
    expect((await search(member, '"nightly finished"')).checks).toEqual([])
  })

  test('says in how much it found nothing, what it can search, and when there is no word', async () => {
    const check = await make({ name: 'Nightly' })
    await ping(check, 'done')
    await ping(check, 'done')
    await readAll()
    const member = await memberWith(t, 'member')
    expect((await search(member, 'missing')).text).toContain('Nothing found in 1 check and 2 pings.')
    expect((await search(member, '')).text).toContain('Searches check names and job output')
    expect((await search(member, '"" -*')).text).toContain('Type at least one word.')
    expect((await search(member, Array.from({ length: 11 }, (_, index) => `w${index}`).join(' '))).text).toContain(
      'Only the first 10 words',
    )
  })

  test('shows the newest pings first, fifty of them', async () => {
    const check = await make({ name: 'Nightly' })
    for (let n = 1; n <= 60; n++) await ping(check, `job ${n}`)
    await readAll()
    const { pings, text } = await search(await memberWith(t, 'member'), 'job')
    expect(pings).toHaveLength(50)
    expect([pings[0], pings[49]].map((line) => /ping \d+/.exec(line ?? '')?.[0])).toEqual(['ping 60', 'ping 11'])
    expect(text).toContain('Only the newest 50 are shown.')
  })

  test('tells since when pings are not indexed yet, and what is read again or not searched', async () => {
    const check = await make({ name: 'Nightly' })
    await ping(check, 'job')
    const member = await memberWith(t, 'member')
    expect((await search(member, 'job')).text).not.toContain('not indexed yet')
    t.clock.advance({ minutes: 5 })
    expect((await search(member, 'job')).text).toContain('is not indexed yet')
    await readAll()
    const actor = operatorIn(t.project)
    await setSearch(t.app.deps, actor, false)
    const off = await search(member, 'job')
    expect(off.pings).toEqual([])
    expect(off.text).toContain('Job output is not indexed in: Tests.')
    await readAll()
    await setSearch(t.app.deps, actor, true)
    expect((await search(member, 'job')).text).toContain('Earlier output is being indexed again in: Tests.')
    await readAll()
    expect((await search(member, 'job')).pings).toHaveLength(1)
  })
})

describe('nothing of a project that one may not see', () => {
  test('is found, counted or named', async () => {
    const { project: other } = await createProject(t.app.deps, 'Neighbours')
    const [own, foreign] = [await make({ name: 'Own job' }), await make({ name: 'Foreign job' }, other)]
    await ping(own, 'common words')
    await ping(foreign, 'common words, secret plan')
    await readAll()
    await setSearch(t.app.deps, operatorIn(other), false)
    const account = await addAccount(t)
    await setRole(t, account, 'owner')
    const browser = await signedIn(t, account)
    const found = await search(browser, 'common')
    expect([found.checks.length, found.pings.length]).toEqual([0, 1])
    expect((await search(browser, 'job')).checks).toHaveLength(1)
    for (const q of ['secret', 'plan', 'foreign', foreign.id, foreign.publicId, 'neighbours']) {
      const { text, page } = await search(browser, q)
      expect(text).toBe('Nothing found in 1 check and 1 ping. Try fewer words, or the beginning of a word.')
      expect(page).not.toContain('Neighbours')
    }
  })

  test('tells when its pings came, except for the minute since which pings wait to be read', async () => {
    const { project: other } = await createProject(t.app.deps, 'Neighbours')
    const foreign = await make({ name: 'Foreign job' }, other)
    const from = t.clock.now().round({ smallestUnit: 'minute', roundingMode: 'ceil' })
    t.clock.advance({ milliseconds: from.epochMilliseconds - t.clock.now().epochMilliseconds + 17_000 })
    await ping(foreign, 'words')
    t.clock.advance({ minutes: 2 })
    const { page } = await search(await memberWith(t, 'member'), 'words')
    expect(page).toContain(`<time datetime="${from.toString()}"`)
    expect(page).toContain('is not indexed yet')
  })

  test('hides nothing from an administrator', async () => {
    const { project: other } = await createProject(t.app.deps, 'Neighbours')
    await ping(await make({ name: 'Foreign job' }, other), 'secret plan')
    await readAll()
    expect((await search(await administrator(t), 'secret')).pings).toHaveLength(1)
  })

  test('is found any longer by who has lost the project', async () => {
    await ping(await make({ name: 'Job' }), 'words')
    await readAll()
    const account = await addAccount(t)
    await setRole(t, account, 'read-only')
    const browser = await signedIn(t, account)
    expect((await search(browser, 'words')).pings).toHaveLength(1)
    await t.app.deps.store.by(anAuthor()).team.removeMember(account.id, t.project.id)
    expect((await search(browser, 'words')).pings).toEqual([])
  })
})

describe('who may only read', () => {
  test('finds bodies without what would allow pings, and cannot guess it', async () => {
    const check = await make({ name: 'Nightly', desc: 'see the wiki' })
    const mail = 'abcdefghij1234567890xy'
    await ping(check, `curl https://h.example/ping/${check.id} and ${mail}/db done`)
    await t.app.deps.store.by(anAuthor()).channels.create(aChannel(t.project, { name: 'Nightly team' }))
    await readAll()
    const reader = await memberWith(t, 'read-only')
    const found = await search(reader, 'curl')
    expect(found.pings).toEqual([expect.stringContaining('[curl] https://h.example/ping/… and …/db done')])
    expect(found.page).not.toContain(check.id)
    const nothing = async (q: string) => {
      const { checks, pings } = await search(reader, q)
      expect([q, checks, pings]).toEqual([q, [], []])
    }
    for (const length of [2, 4, 8, 9, 13, 23, 35, 36]) await nothing(check.id.slice(0, length))
    for (const part of check.id.split('-')) await nothing(part)
    for (const q of [mail, 'abcd', `"ping ${check.id}"`, `curl ${check.id.slice(0, 8)}`]) await nothing(q)
    expect((await search(reader, 'nightly')).channels).toEqual([])
    const member = await memberWith(t, 'member')
    expect((await search(member, check.id)).pings).toHaveLength(1)
    expect((await search(member, check.id.slice(0, 11))).pings).toHaveLength(1)
  })
})

test('hostile words stay text, in the field, in excerpts and in the language of the index', async () => {
  const hostile = `<img src=x onerror=alert(1)> "quoted' & \u202e \0 NEAR( *`
  const check = await make({ name: `<script>${'x'.repeat(10)}` })
  await ping(check, hostile.replace('\0', ''))
  await readAll()
  const member = await memberWith(t, 'member')
  const found = await search(member, hostile.replace('\0', ''))
  expect(found.page).not.toContain('<img')
  expect((await search(member, 'onerror')).main).toContain('&lt;img src=x <mark>onerror</mark>')
  for (const q of ['"', '""', "'", 'a" OR "b', 'words:*', '^', 'a AND', '(', '\\', '§', '{}', '\0', '\ud800']) {
    expect((await member.get(`/search?q=${encodeURIComponent(q.toWellFormed())}`)).status).toBe(200)
  }
  expect((await member.get('/search?q=%ff%fe')).status).toBe(200)
})
