/** The page that waits for the first ping of a project. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createChannel } from '../../../../src/services/channels.ts'
import { deleteCheck, upsertCheck } from '../../../../src/services/checks.ts'
import { memberWith, setRole } from '../../../support/browser.ts'
import { type LiveStream, openStream } from '../../../support/live-stream.ts'
import { webhook } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/p/tests/first-ping'

let t: TestApp
let member: Awaited<ReturnType<typeof memberWith>>
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
})
afterEach(() => t.close())

const add = async (spec: Readonly<Record<string, unknown>> = { name: 'Backup' }) => {
  const { check } = await upsertCheck(t.app.deps, t.actor, spec, false)
  return check
}
const stored = async () => (await t.app.deps.store.listChecks(t.project.id, {}, null)).items.map(({ check }) => check)

/** What the button with that text sends. */
const press = async (text: string) => {
  const page = (await member.get(PATH)).text
  const [, action = ''] = new RegExp(`name="action" value="([a-z-]+)">${text}<`).exec(page) ?? []
  return () => member.post(PATH, { action })
}

test('without a check it offers to make one, which is made once and gets no ping by that', async () => {
  const make = await press('Make the first check')
  const answers = [await make(), await make()]
  expect(answers.map(({ location }) => location)).toEqual([PATH, PATH])
  expect(await stored()).toMatchObject([{ name: 'First job', slug: 'first-job', timeoutSeconds: 86_400, nPings: 0 }])
})

test('its button sends no ping when one has come meanwhile', async () => {
  const { id } = await add()
  const send = await press('Send one for me')
  await t.call('GET', `/ping/${id}/fail`)
  expect((await send()).location).toBe(PATH)
  expect(await stored()).toMatchObject([{ nPings: 1, status: 'down' }])
})

test('a form without an action does nothing', async () => {
  await add()
  expect((await member.post(PATH)).status).toBe(400)
  expect(await stored()).toMatchObject([{ nPings: 0 }])
})

test('what came and did not count is told', async () => {
  const { id } = await add({ name: 'Backup', methods: 'POST' })
  await t.call('GET', `/ping/${id}/FAIL`)
  await t.app.settle('refused')
  const waiting = (await member.get(PATH)).text
  expect(waiting).toContain('Waiting for the first ping')
  expect(waiting).toContain('write it in lower case: /fail.')
  await t.call('GET', `/ping/${id}`)
  const { text } = await member.get(PATH)
  expect(text).toContain('1 ping came and did not count: it came by ')
  expect(text).not.toContain('Pings come in.')
})

describe('who is told', () => {
  const NOTE = '<b>Nobody is told yet</b>'

  test('is nobody while the check has no integration, and the page says so', async () => {
    const { id } = await add()
    for (const _ of ['waiting', 'pinged']) {
      const { text } = await member.get(PATH)
      expect(text).toContain(NOTE)
      expect(text).toContain('<a href="/p/tests/integrations">Add an integration</a>')
      expect(text).not.toContain('you are told')
      expect(text).not.toContain('Alerts go out')
      await t.call('GET', `/ping/${id}`)
    }
  })

  test('is whoever gets the alerts of its integrations', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    await add({ name: 'Backup', channels: '*' })
    const { text } = await member.get(PATH)
    expect(text).not.toContain(NOTE)
    expect(text).toContain('once a day. When it does not, you are told.')
    expect(text).toContain('Alerts go out, once.')
  })
})

test('it waits with lines around a job, with the check’s own URL', async () => {
  const { id } = await add()
  const { text } = await member.get(PATH)
  const url = `http://localhost:8000/ping/${id}`
  expect(text).toContain('<h1>Put these lines around a job.</h1>')
  expect(text).toContain('Overdue expects to hear from <b><bdi>Backup</bdi></b> once a day.')
  expect(text).toContain('--data-binary @- &quot;$url/$code&quot;')
  expect(text).toContain(`aria-label="Ping URL">${url}</code>`)
  expect(text).toContain('hx-sse:connect="/p/tests/live?view=first-ping&amp;for=')
})

test.each([
  [{ timeout: 3_600 }, 'the check every hour.'],
  [{ timeout: 5_400 }, 'the check every 1 hour 30 minutes.'],
  [{ name: 'Backup', schedule: '0 2 * * *' }, '<b><bdi>Backup</bdi></b> on its schedule.'],
])('for a check with %j it says what is expected', async (spec, words) => {
  await add(spec)
  expect((await member.get(PATH)).text).toContain(`expects to hear from ${words}`)
})

test('its address names the snippet, and an unknown name is the first one', async () => {
  const { id } = await add()
  const { text } = await member.get(`${PATH}?snippet=crontab`)
  expect(text).toContain(`0 2 * * *  url=http`)
  expect(text).toContain('value="crontab" checked')
  for (const name of ['nothing', '__proto__', '<b>']) {
    const { text: other } = await member.get(`${PATH}?snippet=${encodeURIComponent(name)}`)
    expect(other).toContain('value="bash" checked')
    expect(other).toContain(`url=http://localhost:8000/ping/${id}`)
  }
})

test('the crontab snippet has the schedule and the zone of the check', async () => {
  await add({ schedule: '15 4 * * *', tz: 'Europe/Riga' })
  const { text } = await member.get(`${PATH}?snippet=crontab`)
  expect(text).toMatch(/CRON_TZ=Europe\/Riga\n<b>15 4 \* \* \* /)
})

test('its button sends a ping, as a job would', async () => {
  await add()
  const answer = await member.post(PATH, { action: 'send-ping' }, { 'user-agent': 'Firefox' })
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=ping-sent`])
  const { text } = await member.get(answer.location ?? '')
  expect(text).toContain('A ping was sent.')
  expect(text).toContain('<h1>The first ping is here.</h1>')
  expect(text).toContain(
    'The next ping is due <time datetime="2026-03-05T12:00:00Z">Thu 5 Mar 2026, 12:00:00 UTC</time>.',
  )
  expect(text).not.toContain('view=first-ping')
  expect(await stored()).toMatchObject([{ nPings: 1, status: 'up' }])
})

describe('the stream', () => {
  const open = () => openStream(t, member, '/p/tests/live?view=first-ping')
  const isTold = async (stream: LiveStream) => (await stream.take()).some(({ event }) => event === 'reload')

  test('says to load the page again when the ping has come', async () => {
    const { id } = await add()
    const stream = await open()
    expect(await isTold(stream)).toBe(false)
    await t.call('GET', `/ping/${id}`)
    expect(await isTold(stream)).toBe(true)
  })

  test('says so at once when it has come already, and where there is nothing to wait for', async () => {
    expect(await isTold(await open())).toBe(true)
    const check = await add()
    const waiting = await open()
    await deleteCheck(t.app.deps, t.actor, check)
    expect(await isTold(waiting)).toBe(true)
    const { id } = await add()
    await t.call('GET', `/ping/${id}`)
    expect(await isTold(await open())).toBe(true)
  })

  test('is not for who may only read', async () => {
    await add()
    await setRole(t, member.account, 'read-only')
    expect((await member.get('/p/tests/live?view=first-ping')).status).toBe(403)
  })
})
