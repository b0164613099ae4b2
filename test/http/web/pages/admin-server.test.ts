/** Pages for administrators about the server: its health, all projects, its settings. */
import { afterEach, describe, expect, test } from 'bun:test'
import { comparedClock } from '../../../../src/http/web/pages/admin/health/page.ts'
import { createSharedClock } from '../../../../src/services/common/ports/shared-clock.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { createHeartbeat } from '../../../../src/services/server/outage.ts'
import { addAccount, administrator, setRole } from '../../../support/browser.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

const SECRET = 'a-secret-of-the-operator'

async function open(env: Readonly<Record<string, string>> = {}) {
  t = await testApp({ env })
  return administrator(t, { email: 'root@example.org' })
}

test('each tab of the administration is called as the page that it opens', async () => {
  const admin = await open()
  const [, nav = ''] =
    /<nav class="seg" aria-label="Administration">([\s\S]*?)<\/nav>/.exec((await admin.get('/admin')).text) ?? []
  const tabs = Array.from(
    nav.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)/g),
    ([, path = '', words = '']) => [path, words] as const,
  )
  expect(tabs).toHaveLength(9)
  for (const [path, words] of tabs) {
    const { text } = await admin.get(new URL(path, 'http://localhost').pathname)
    expect(text).toContain(`<title>${words} – Overdue</title>`)
    expect(text).toContain(`<h1><bdi>${words}</bdi></h1>`)
    expect(text).toContain(`aria-current="page">${words}</a>`)
  }
})

describe('the health of the server', () => {
  test('says what works, when each loop last ran, what waits, and where the database is', async () => {
    const admin = await open({ INSTANCE_NAME: 'east <1>' })
    const { measurements, stopwatch, now } = t.app.deps
    const loop = measurements.startLoop('overdue', stopwatch(), 60)
    const run = { dueAt: now().subtract({ milliseconds: 250 }), startedAt: now(), endedAt: now(), hasFailed: true }
    loop.record(run, stopwatch())
    const words = wordsOf((await admin.get('/admin')).text)
    // A PostgreSQL of tests is said not to wait for its disk.
    expect(words).toMatch(
      /Everything works database ok(?:, but commits do not wait for the disk[^.]*?)? background job overdue ok/,
    )
    expect(words).toContain('overdue finds overdue checks now 250 ms 1')
    expect(words).toContain('Alerts 0 alerts wait')
    expect(words).toContain('east &lt;1&gt;, version')
  })

  test('says how far the clock of this machine is from that of the database', async () => {
    const admin = await open()
    const { read: readClock } = createSharedClock(t.app.deps.store.server.readClock, () =>
      t.clock.now().add({ seconds: 5 }),
    )
    await createHeartbeat({ ...t.app.deps, readClock })()
    const { hasOwnClock } = t.app.deps.place
    expect(wordsOf((await admin.get('/admin')).text)).toContain(`Clock ${comparedClock(hasOwnClock, 5)} Alerts`)
    expect(comparedClock(false, 0)).toBe('in sync (same machine)')
    expect(comparedClock(true, null)).toBe('not compared with the database yet')
    expect(comparedClock(true, -0.3)).toBe('in sync (0.3 seconds behind the database clock)')
    expect(comparedClock(true, 5)).toEndWith(
      '5.0 seconds ahead of the database clock; synchronize both with a time server (NTP)',
    )
  })

  test('says which part failed', async () => {
    const admin = await open()
    t.app.deps.measurements.startLoop('stuck', -1_000_000, 5)
    const words = wordsOf((await admin.get('/admin')).text)
    expect(words).toContain('1 part failed')
    expect(words).toContain('background job stuck failed: no run has finished')
  })

  test('says which mail server sends email, and leads to its page', async () => {
    const admin = await open({ EMAIL_HOST: 'mail.example.org' })
    const { text } = await admin.get('/admin')
    expect(wordsOf(text)).toContain('Emails go through mail.example.org:587. Send a test')
    expect(text).toContain('<a href="/admin/mail">')
  })

  test('says that no mail server is set up', async () => {
    const admin = await open()
    expect(wordsOf((await admin.get('/admin')).text)).toContain('No mail server is set up')
  })
})

describe('all projects', () => {
  test('are listed by name with their owners and what is in them', async () => {
    const admin = await open()
    await setRole(t, await addAccount(t, { email: 'mia@example.org' }), 'owner')
    await setRole(t, await addAccount(t, { email: 'bob@example.org' }), 'member')
    await createProject(t.app.deps, '<b>Harbour</b>')
    const { text } = await admin.get('/admin/projects')
    expect(text).not.toContain('<b>Harbour')
    expect(wordsOf(text)).toContain('&lt;b&gt;Harbour&lt;/b&gt; no owner 0 0 0 Tests mia@example.org 0 0 2')
    expect(wordsOf((await admin.get('/admin/projects?q=harb')).text)).not.toContain('mia@example.org')
    expect((await admin.get('/admin/projects?q=nothing')).text).toContain('No project matches')
  })

  test('come fifty to a page', async () => {
    const admin = await open()
    for (let n = 10; n < 62; n++) await createProject(t.app.deps, `Many ${n}`)
    const { text } = await admin.get('/admin/projects?q=many')
    expect(text.match(/<th scope="row">/g)).toHaveLength(50)
    const [, more = ''] = /class="rest"><a[^>]*href="([^"]+)"/.exec(text) ?? []
    const last = await admin.get(more.replaceAll('&amp;', '&'))
    expect(last.text.match(/<th scope="row">/g)).toHaveLength(2)
    expect(last.text).not.toContain('More projects')
  })
})

describe('the settings', () => {
  test('are shown as they were understood, with where each came from, and without secrets', async () => {
    const admin = await open({ SECRET_KEY: SECRET, EMAIL_HOST: 'mail.example.org', EMAIL_HOST_PASSWORD: SECRET })
    const { text } = await admin.get('/admin/settings')
    expect(wordsOf(text)).toContain('EMAIL_HOST mail.example.org environment')
    expect(wordsOf(text)).toContain('SECRET_KEY (set) environment')
    expect(wordsOf(text)).toContain('LOG_LEVEL info default')
    expect(text).not.toContain(SECRET)
  })

  test('are in groups, and say where a secret comes from or that it is not set', async () => {
    const admin = await open()
    const { text } = await admin.get('/admin/settings')
    expect(text.match(/<h2>[^<]*/g)?.map((head) => head.slice(4))).toContain('Mail pings')
    expect(wordsOf(text)).toContain('SECRET_KEY (set) database')
    expect(wordsOf(text)).toContain('EMAIL_HOST_PASSWORD not set default')
    expect(wordsOf(text)).toContain('EMAIL_HOST none default')
  })

  test('say whether strangers may make accounts, and what is probably not meant', async () => {
    const admin = await open({ REGISTRATION_OPEN: 'True', LOG_LEVLE: 'debug' })
    const words = wordsOf((await admin.get('/admin/settings')).text)
    expect(words).toContain('Registration open: anyone can create an account')
    expect(words).toContain('LOG_LEVLE is not a setting; did you mean LOG_LEVEL?')
  })
})
