/** The page that waits for the first ping of a project. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createChannel } from '../../../../../src/services/channels/channels.ts'
import { deleteCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { memberWith, setRole } from '../../../../support/browser.ts'
import { type LiveStream, openStream } from '../../../../support/live-stream.ts'
import { webhook } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

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
const stored = async () => (await t.app.deps.store.checks.list(t.project.id, {}, null)).items.map(({ check }) => check)

/** Presses the button with that text. */
const press = async (text: string) => {
  const page = (await member.get(PATH)).text
  const [, action = ''] = new RegExp(`name="action" value="([a-z-]+)">${text}<`).exec(page) ?? []
  return () => member.post(PATH, { action })
}

test('without a check it asks for a name, and makes one check of it, which gets no ping by that', async () => {
  const make = () => member.post(PATH, { action: 'make-check', name: ' Nightly backup ' })
  expect((await member.get(PATH)).text).toContain('Create the first check<')
  const answers = [await make(), await make()]
  expect(answers.map(({ location }) => location)).toEqual([PATH, PATH])
  expect(await stored()).toMatchObject([
    { name: 'Nightly backup', slug: 'nightly-backup', timeoutSeconds: 86_400, nPings: 0 },
  ])
})

test.each([
  ['', 'The check needs a name.'],
  ['x'.repeat(101), 'This is too long'],
])('the name %j makes no check', async (name, words) => {
  const { status, text } = await member.post(PATH, { action: 'make-check', name })
  expect([status, text.includes(words), text.includes(`value="${name}"`)]).toEqual([422, true, true])
  expect(await stored()).toEqual([])
})

test('its button sends no ping when one has come meanwhile', async () => {
  const { id } = await add()
  const send = await press('Send a test ping')
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
  expect(text).toContain('1 ping has arrived, but did not count: it used ')
  expect(text).not.toContain('Next ping expected')
})

describe('who is alerted', () => {
  const NOTE = '<b>This check alerts no one.</b>'
  /** Returns target and text of the main button. */
  const mainButton = (text: string) => /<a class="btn primary" href="([^"]+)">([^<]+)</.exec(text)?.slice(1)

  test('is no one while the check has no integration, and the main button leads to one', async () => {
    const { id } = await add()
    for (const _ of ['waiting', 'pinged']) {
      const { text } = await member.get(PATH)
      expect(text).toContain(`${NOTE} <a href="/p/tests/integrations#add">Add an integration</a>.`)
      expect(mainButton(text)).toEqual(['/p/tests/integrations#add', 'Choose who is alerted'])
      expect(text).not.toMatch(/alerts you|Alerts are sent|You’re set/)
      await t.call('GET', `/ping/${id}`)
    }
  })

  test('is no one while the integrations of the project do not get its alerts, and the main button leads to them', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    const { publicId } = await add()
    const choose = `/p/tests/checks/${publicId}/edit?tab=alerts`
    const { text } = await member.get(PATH)
    expect(text).toContain(
      `${NOTE} <a href="/p/tests/integrations#add">Add an integration</a>, or <a href="${choose}">use an existing one</a>.`,
    )
    expect(mainButton(text)).toEqual([choose, 'Choose who is alerted'])
  })

  test('is no one while the only integration is off', async () => {
    const { id } = await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    await t.app.deps.store.channels.change(id, (channel) => ({ channel: { ...channel, disabledReason: '404' } }))
    await add({ name: 'Backup', channels: '*' })
    const { text } = await member.get(PATH)
    expect(text).toContain('This check alerts no one: its integration is off.')
    expect(mainButton(text)?.[1]).toBe('Choose who is alerted')
  })

  test('is whoever gets the alerts of its integrations', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    const { id } = await add({ name: 'Backup', channels: '*' })
    const { text } = await member.get(PATH)
    expect(text).not.toContain(NOTE)
    expect(text).toContain('once a day, and alerts you if none arrives.')
    expect(text).toContain('An alert is sent.')
    await t.call('GET', `/ping/${id}`)
    const pinged = (await member.get(PATH)).text
    expect(pinged).toMatch(/You’re set\. Next ping expected <time [^>]+>tomorrow at 12:00<\/time>\./)
    expect(mainButton(pinged)).toEqual(['/p/tests/checks', 'Go to checks'])
  })
})

test('it waits with lines around a job, with the check’s own URL', async () => {
  const { id } = await add()
  const { text } = await member.get(PATH)
  const url = `http://localhost:8000/ping/${id}`
  expect(text).toContain('<h1>Add these lines to your job</h1>')
  expect(text).toContain('Overdue expects a ping for <b><bdi>Backup</bdi></b> once a day.')
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
  expect((await member.get(PATH)).text).toContain(`expects a ping for ${words}`)
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
  expect(text).toContain('Ping sent.')
  expect(text).toContain('<h1>First ping received.</h1>')
  expect(text).toMatch(/Next ping expected <time [^>]+>tomorrow at 12:00<\/time>/)
  expect(text).not.toContain('view=first-ping')
  expect(await stored()).toMatchObject([{ nPings: 1, status: 'up' }])
})

test.each(['', '/start', '/fail'])('the lines and the URL stay when the first ping went to …%s', async (action) => {
  const { id } = await add()
  await t.call('GET', `/ping/${id}${action}`)
  const { text } = await member.get(PATH)
  expect(text).toContain('<h1>First ping received.</h1>')
  expect(text).toContain('--data-binary @- &quot;$url/$code&quot;')
  expect(text).toContain(`aria-label="Ping URL">http://localhost:8000/ping/${id}</code>`)
  expect(text.includes('Next ping expected')).toBe(action === '')
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
