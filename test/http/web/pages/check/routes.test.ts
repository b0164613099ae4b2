/** The page of a check: its state, parts hidden from readers, and its actions. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import { pauseCheck, resumeCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { recoverFromOutage } from '../../../../../src/services/server/outage.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { aChannel, anAuthor, webhook } from '../../../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let member: Awaited<ReturnType<typeof memberWith>>
let reader: Browser
beforeEach(async () => {
  t = await testApp({ env: { SMTPD_PORT: '2525', PING_EMAIL_DOMAIN: 'ping.example.org' } })
  member = await memberWith(t, 'member')
  reader = await memberWith(t, 'read-only', { email: 'reader@example.org' })
})
afterEach(() => t.close())

const add = async (spec: CheckSpec = {}) =>
  (await upsertCheck(t.app.deps, t.actor, { name: 'Backup', timeout: 3_600, grace: 600, ...spec }, false)).check
const pathOf = ({ publicId }: Check, more = '') => `/p/tests/checks/${publicId}${more}`
const ping = async ({ id }: Check, path = '', body?: string) => {
  const answer = await t.call('POST', `/ping/${id}${path}`, body === undefined ? {} : { body })
  expect(answer.status).toBe(200)
}
const stored = async ({ id }: Check) => {
  const found = await t.app.deps.store.checks.find(id)
  if (!found) throw new Error('the check is gone')
  return found
}
const settle = async () => {
  await t.app.settle('overdue')
  await t.app.settle('deliveries')
}
/** Returns the text of a part of the page, without tags. */
const words = (html: string) =>
  html
    .replace(/<title>.*?<\/title>/g, '')
    .replace(/<(?!\/?(?:b|bdi|time|a|code|span)\b)[^>]+>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
const section = (text: string, id: string) => {
  const [found] = new RegExp(
    `<section class="card"[^>]*(?:id="${id}"|aria-labelledby="${id}-h").*?</section>`,
    's',
  ).exec(text) ?? ['']
  return words(found)
}

/** Returns the head without the note that the check alerts no one, which most checks here have. */
const headOf = (text: string) =>
  section(text, 'now').replace(
    'This check alerts no one. If it fails, you will only see it here. Add an integration ',
    '',
  )

test('a check that was never pinged says so, and how to ping it', async () => {
  const check = await add()
  const { text, status } = await member.get(pathOf(check))
  expect(status).toBe(200)
  expect(text).toContain('<h1><bdi>Backup</bdi></h1>')
  expect(headOf(text)).toStartWith(
    'New: no ping yet. Monitoring starts with the first ping. Add the lines from Ping URL to the job',
  )
  expect(section(text, 'now')).toContain('Took – Up – counted from the first ping')
  expect(section(text, 'now')).toContain('Alerted no one')
  expect(section(text, 'runs')).toContain('No runs yet.')
  expect(section(text, 'chart')).toContain('No runs yet.')
  const [ping = ''] = /<details class="card drawer" id="ping" open>.*?<\/details>/s.exec(text) ?? []
  expect(words(ping)).toStartWith('Ping URL Ping URL http://localhost:8000/ping/')
  expect(words(ping)).toContain(`${check.id}@ping.example.org`)
  expect(text.indexOf('id="ping"')).toBeLessThan(text.indexOf('id="alerts"'))
  expect(section(text, 'schedule')).toContain('Every hour. Down after 10 minutes of grace.')
})

test('without mail pings there is no email address', async () => {
  await t.close()
  t = await testApp()
  member = await memberWith(t, 'member')
  const { text } = await member.get(pathOf(await add()))
  expect(text).not.toContain('Email address')
})

describe('to a reader', () => {
  test('the page shows no ping URL, no UUID and no action', async () => {
    const check = await add({ desc: 'is pinged at http://localhost:8000/ping/94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b' })
    await t.app.deps.store.by(anAuthor()).channels.create(aChannel(t.project, { name: 'Pager' }))
    await upsertCheck(t.app.deps, t.actor, { name: 'Backup', channels: '*', unique: ['name'] }, false)
    await ping(check, '/1', `curl http://localhost:8000/ping/${check.id}`)
    await settle()
    const { text, status } = await reader.get(pathOf(check))
    expect(status).toBe(200)
    expect(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/g)).toBeNull()
    expect(text).not.toMatch(/<form(?! role="search")/)
    expect(text).not.toContain('@ping.example.org')
    for (const page of ['edit', 'copy', 'transfer', 'clear', 'delete']) {
      expect(text).not.toContain(`href="${pathOf(check, `/${page}`)}`)
    }
    expect(section(text, 'alerts')).toContain('Alerts go to Pager Webhook')
    expect(text).toContain(`href="${pathOf(check, '/log')}"`)
  })
})

test.each(['00000000', 'x', '%2e%2e', '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'])('there is no check %s', async (id) => {
  await add()
  expect((await member.get(`/p/tests/checks/${id}`)).status).toBe(404)
})

test('a late success that ends a false outage says so where the state changed, in the runs, in the log and of the alert', async () => {
  const channel = aChannel(t.project, { name: 'Pager' })
  await t.app.deps.store.by(anAuthor()).channels.create(channel)
  const check = await add({ channels: '*' })
  await ping(check)
  t.clock.advance({ hours: 1, minutes: 50 })
  await settle()
  await ping(check, `?at=${t.clock.now().epochMilliseconds - 47 * 60_000}`)
  await settle()
  const SAID = 'The job had succeeded at 13:03, in time; its ping arrived 47 min late.'
  const { text } = await member.get(pathOf(check))
  expect(section(text, 'days')).toContain(`after 40 min down. ${SAID}`)
  expect(section(text, 'runs')).toContain('its ping arrived late, 4 Mar 13:50')
  expect(words((await member.get(pathOf(check, '/log'))).text)).toContain('ran 13:03, arrived 13:50')
  const alert = await member.get(`/p/tests/alerts/${check.publicId}-3-${channel.id}`)
  expect(words(alert.text)).toContain(`Late ping ${SAID}`)
})

describe('a check that went down', () => {
  test('by silence says since when, what was due, and who was told', async () => {
    const channels = [
      aChannel(t.project, { name: 'Pager' }),
      aChannel(t.project, {
        name: 'Broken',
        settings: { ...webhook(), url_down: 'https://broken.example/' },
      }),
    ]
    for (const channel of channels) await t.app.deps.store.by(anAuthor()).channels.create(channel)
    t.answerWith((sent) => answered(sent.url.includes('broken') ? 500 : 200))
    const check = await add({ channels: '*' })
    await ping(check)
    t.clock.advance({ hours: 1, minutes: 10 })
    await settle()
    t.clock.advance({ minutes: 40 })
    const { text } = await member.get(pathOf(check))
    const now = section(text, 'now')
    expect(now).toStartWith('Down for 40 min: the run due at 13:00 never reported.')
    expect(now).toContain('Last run 12:00, OK 1 h 50 min ago')
    expect(now).toContain('Alerted 1 of 2 Pager 13:10; Broken has not been reached since 13:10, next try at')
    expect(now).toContain('Received status code 500')
    expect(text).toContain('<div class="say down">')
    expect(section(text, 'days')).toContain('Down since 13:10. No ping arrived in time.')
  })

  test('by a failure names the ping and its exit status', async () => {
    const check = await add()
    await ping(check)
    t.clock.advance({ minutes: 5 })
    await ping(check, '/7', 'starting\nquota exceeded\n')
    const { text } = await member.get(pathOf(check))
    expect(section(text, 'now')).toContain('Exit status 7. Last line: ‘quota exceeded’.')
    expect(section(text, 'days')).toContain('Down since 12:05. Failed: exit status 7, ping #2.')
    expect(text).toContain(`<a href="${pathOf(check, '/log/2')}">ping #2</a>`)
  })
})

test('a check that came up says how long it was down, until the next ping', async () => {
  const check = await add()
  await ping(check, '/fail')
  t.clock.advance({ hours: 2, minutes: 10 })
  await ping(check)
  const first = headOf((await member.get(pathOf(check))).text)
  expect(first).toStartWith('Up again after 2 h 10 min. Next ping due in 1 h, at 15:10.')
  t.clock.advance({ minutes: 5 })
  await ping(check)
  expect(headOf((await member.get(pathOf(check))).text)).toStartWith('Up. Next ping due ')
})

test('the share of a check that was up is the same for the month of its first ping as for all its time, and says since when', async () => {
  const check = await add({ timeout: 3_600, grace: 3_600 })
  await ping(check)
  t.clock.advance({ hours: 2 })
  await settle()
  t.clock.advance({ hours: 2 })
  const { text } = await member.get(pathOf(check))
  expect(section(text, 'now')).toContain('Up since Wed 12:00 50.00 % down once, 2 h')
  expect(section(text, 'days')).toMatch(
    / 202550\.00 % up since Wed 12:00today March 50\.00 % up since Wed 12:00 down once, 2 h February not monitored /,
  )
})

test('a check that was resumed says since when, and that it is not watched until its next ping', async () => {
  const check = await add()
  await ping(check)
  t.clock.advance({ minutes: 1 })
  await pauseCheck(t.app.deps, t.actor, (await stored(check)).check)
  await resumeCheck(t.app.deps, t.actor, (await stored(check)).check)
  t.clock.advance({ minutes: 2 })
  const now = headOf((await member.get(pathOf(check))).text)
  expect(now).toStartWith('Resumed 2 min ago. Not monitored until the next ping arrives.')
  expect(now).toContain('Last run 12:00, OK 3 min ago')
  expect(now).not.toMatch(/New:|ping never/)
  expect(words((await member.get('/p/tests/checks')).text)).toContain('Resumed 2 min ago. Not monitored until')
  await ping(check)
  expect(headOf((await member.get(pathOf(check))).text)).toStartWith('Up.')
})

test('a job that overlaps itself without run ids shows no durations, neither of its last run nor as usual', async () => {
  const check = await add({ timeout: 300 })
  await ping(check, '/start')
  for (let count = 0; count < 8; count++) {
    t.clock.advance({ minutes: 5 })
    await ping(check, '/start')
    t.clock.advance({ minutes: 1 })
    await ping(check)
    t.clock.advance({ minutes: -1 })
  }
  const { text } = await member.get(pathOf(check))
  expect(section(text, 'now')).toContain('Took – runs overlap without run ids')
  expect(text).not.toContain('usual range')
})

describe('the last runs', () => {
  test('are links to their pings, named by what happened', async () => {
    const check = await add()
    await ping(check, '/start')
    t.clock.advance({ minutes: 7 })
    await ping(check)
    t.clock.advance({ hours: 3, minutes: 30 })
    await ping(check, '/fail')
    const { text } = await member.get(`${pathOf(check)}?chart=took`)
    const names = Array.from(text.matchAll(/<a href="([^"]+)" aria-label="(4 Mar[^"]+)">/g), ([, href, name]) => [
      href,
      name,
    ])
    expect(names).toEqual([
      [pathOf(check, '/log/2'), '4 Mar, 12:07: ok, 7 min'],
      [`${pathOf(check, '/log')}?until=2026-03-04T13%3A07`, '4 Mar, 13:07: missing, no ping'],
      [`${pathOf(check, '/log')}?until=2026-03-04T14%3A07`, '4 Mar, 14:07: missing, no ping'],
      [pathOf(check, '/log/3'), '4 Mar, 15:37: failed'],
    ])
    expect(text).toContain('aria-label="Last 4 runs: 2 missing, 1 failed"')
  })

  test('are a table too', async () => {
    const check = await add()
    await ping(check, '/start')
    t.clock.advance({ minutes: 7 })
    await ping(check)
    const { text } = await member.get(`${pathOf(check)}?chart=took`)
    const [table] = /<details class="fold">.*?<\/details>/s.exec(text) ?? ['']
    expect(words(table)).toBe('As a table When What Took 4 Mar, 12:07 ok 7 min')
  })
})

describe('the rhythm', () => {
  const came = async () => {
    const check = await add({ schedule: '0 12 * * *', tz: 'Europe/Riga' })
    for (let day = 0; day < 4; day++) {
      await settle()
      await ping(check)
      t.clock.advance({ hours: 24 })
    }
    return check
  }

  test('is drawn from the log, in the zone of the check', async () => {
    const { text } = await member.get(pathOf(await came()))
    expect(text).toContain(
      '<svg class="rhythm" viewBox="0 0 580 218" role="img" aria-label="Backup, 30 days: every run',
    )
    expect(section(text, 'chart')).toContain('started late: at 14:00, 12:00 UTC; expected at 12:00.')
    expect(section(text, 'chart')).toContain('Times in Europe/Riga, the zone of this check. UTC, yours')
  })

  test('follows its address, and so does the stream of the page', async () => {
    const check = await came()
    const { text } = await member.get(`${pathOf(check)}?days=90&tz=utc`)
    expect(text).toContain('aria-label="Backup, 90 days: ')
    expect(section(text, 'chart')).toContain('expected at 10:00')
    expect(text).toContain(`live?view=check&amp;check=${check.publicId}&amp;days=90&amp;tz=utc`)
    expect(text).toContain(`<a href="${pathOf(check)}?chart=took&amp;days=90&amp;tz=utc">How long</a>`)
    expect(text).toContain(`<a href="${pathOf(check)}?tz=utc">30 days</a>`)
  })

  test('has no plot before the third run', async () => {
    const check = await add()
    await ping(check)
    expect(section((await member.get(pathOf(check))).text, 'chart')).toContain('1 run so far.')
  })
})

describe('the list of runs', () => {
  const rows = (text: string) =>
    Array.from(/<table class="runs-t".*?<\/table>/s.exec(text)?.[0].matchAll(/<tr[ >].*?<\/tr>/gs) ?? [], ([row]) =>
      words(row.replace(/<\/t[dh]>/g, ' ')),
    )

  test('has a line for each run, with what is missing and what it changed', async () => {
    const check = await add()
    await ping(check, '', 'copied\n4,118 files\n')
    t.clock.advance({ hours: 2 })
    await settle()
    await ping(check, '/start')
    t.clock.advance({ minutes: 5 })
    await ping(check, '/2', 'disk full')
    t.clock.advance({ minutes: 55 })
    await ping(check, '', 'disk full')
    t.clock.advance({ minutes: 50 })
    await ping(check, '/start')
    t.clock.advance({ minutes: 3 })
    const { text } = await member.get(pathOf(check))
    expect(rows(text)).toEqual([
      'Day Arrived Outcome Due, grace Took Last line',
      'Today 15:50 Running 3 min',
      'Today 15:00 On time – recovered 15:00 same as the previous run',
      'Today 14:05 Failed 2 5 min disk full',
      'Today – Missing – went down 13:10 expected here, no ping arrived',
      'Today 12:00 OK – 4,118 files',
    ])
    expect(section(text, 'now')).toContain('Last run 15:00, on time 53 min ago Took – ')
    expect(text).toContain(`<a href="${pathOf(check, '/log/3')}"><time datetime="2026-03-04T14:05:00Z"`)
  })

  test('has the day before as yesterday also after the clocks changed', async () => {
    const check = await add({ timeout: 30 * 86_400 })
    // The day in Riga had 23 hours, and the next one is half an hour old.
    t.clock.advance({ hours: 25 * 24 })
    await ping(check)
    t.clock.advance({ hours: 9, minutes: 30 })
    // A session does not last that long.
    const riga = await memberWith(t, 'member', { email: 'riga@example.org', tz: 'Europe/Riga' })
    const { text } = await riga.get(pathOf(check))
    expect(rows(text)[1]).toStartWith('Yesterday 15:00 OK')
  })

  test('folds runs that are alike, below the newest five', async () => {
    const check = await add()
    for (let run = 0; run < 9; run++) {
      await ping(check, '', 'done')
      t.clock.advance({ hours: 1 })
    }
    const { text } = await member.get(pathOf(check))
    expect(text).toContain('<summary>3 more like this, 4 Mar</summary>')
    expect(text.match(/<tbody class="folded">.*?<\/tbody>/s)?.[0].match(/<tr>/g)).toHaveLength(3)
  })

  test('shows a hostile last line as text', async () => {
    const check = await add()
    await ping(check, '', '<img src=x onerror=alert(1)>\u202e')
    const { text } = await member.get(pathOf(check))
    expect(text).toContain('<td class="c-l"><bdi>&lt;img src=x onerror=alert(1)&gt;')
  })

  test('draws runs that overlap in each other’s line', async () => {
    const check = await add({ grace: 7_200 })
    const [a, b] = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b811-9dad-11d1-80b4-00c04fd430c8']
    await ping(check)
    t.clock.advance({ hours: 1 })
    await ping(check, `/start?rid=${a}`)
    t.clock.advance({ minutes: 10 })
    await ping(check, `/start?rid=${b}`)
    t.clock.advance({ minutes: 10 })
    await ping(check, `?rid=${a}`)
    t.clock.advance({ minutes: 10 })
    await ping(check, `?rid=${b}`)
    const bars = Array.from(
      (await member.get(pathOf(check))).text.matchAll(/<svg class="rb".*?<\/svg>/gs),
      ([svg]) => svg,
    )
    expect(bars.map((svg) => svg.match(/stroke-width/g)?.length)).toEqual([2, 2])
  })
})

test('the head shows how far the run under way has come, on what is usual and up to the limit', async () => {
  const check = await add({ timeout: 3_600, grace: 3_600 })
  for (let run = 0; run < 6; run++) {
    await ping(check, '/start')
    t.clock.advance({ minutes: 10 })
    await ping(check)
    t.clock.advance({ minutes: 50 })
  }
  await ping(check, '/start')
  t.clock.advance({ minutes: 30 })
  const { text } = await member.get(pathOf(check))
  expect(text).toContain('aria-label="Time so far: usually 10 min, alerts after 1 h"')
  expect(text).toContain('<path class="rn" d="M0 10H270"/><path class="lim" d="M540 0V20"/>')
  expect(headOf(text)).toContain('Longer than usual')
})

test('the head reports an outage of Overdue for a day', async () => {
  const check = await add()
  await ping(check)
  await recoverFromOutage(t.app.deps)
  t.clock.advance({ hours: 2 })
  await recoverFromOutage(t.app.deps)
  expect(headOf((await member.get(pathOf(check))).text)).toStartWith(
    'Overdue had an outage from 12:00 to 14:00. Pings sent in that time are missing. No alert before 14:10, so that the job can still report.',
  )
  t.clock.advance({ hours: 25 })
  expect(headOf((await member.get(pathOf(check))).text)).not.toContain('had an outage')
})

test('the ping URL is folded once a ping has come, says who pinged, and opens when three runs are missing', async () => {
  const check = await add()
  await t.call('POST', `/ping/${check.id}`, { headers: { 'user-agent': 'curl/8.5.0 (x86)' } })
  const shown = async () =>
    /<details class="card drawer" id="ping"( open)?><summary>(.*?)<\/summary>/s.exec(
      (await member.get(pathOf(check))).text,
    )
  const [, open, summary = ''] = (await shown()) ?? []
  expect([open, words(summary)]).toEqual([undefined, 'Ping URL pinged by curl'])
  t.clock.advance({ hours: 3 })
  expect((await shown())?.[1]).toBe(' open')
})

test('the next runs are in the zone of the schedule, which is named, and the zone of the reader is named once', async () => {
  const check = await add({ schedule: '0 2 * * *', tz: 'Europe/Riga' })
  await ping(check)
  for (const tz of ['Asia/Tokyo', 'Europe/Riga']) {
    const reader = await memberWith(t, 'member', { tz })
    const { text } = await reader.get(pathOf(check))
    expect(text.split(`Times are in ${tz}.`)).toHaveLength(2)
    const isElsewhere = tz !== 'Europe/Riga'
    const next = /Next (.+?) As cron/.exec(section(text, 'schedule'))?.[1] ?? ''
    expect(next).toContain('02:00')
    expect(next.includes('in Europe/Riga')).toBe(isElsewhere)
  }
})

test('all times are in the zone of the account', async () => {
  const far = await memberWith(t, 'member', { tz: 'Asia/Tokyo' })
  const check = await add()
  await ping(check)
  expect(section((await far.get(pathOf(check))).text, 'now')).toContain('Next ping due in 1 h, at 22:00.')
})

describe('the description', () => {
  test('links to addresses of the web only, which do not learn where the reader came from', async () => {
    const { text } = await member.get(
      pathOf(
        await add({ desc: 'See https://wiki.example.org/a?b=1&c=2). Not javascript:alert(1) nor ftp://x.example.' }),
      ),
    )
    expect(text).toContain(
      '<a href="https://wiki.example.org/a?b=1&amp;c=2" rel="noreferrer nofollow">https://wiki.example.org/a?b=1&amp;c=2</a>). Not',
    )
    expect(text).not.toContain('href="javascript')
    expect(text).not.toContain('href="ftp')
  })
})

describe('the buttons', () => {
  test('ping now as the job would', async () => {
    const check = await add()
    const { location } = await member.post(pathOf(check), { action: 'ping' })
    expect(location).toBe(`${pathOf(check)}?done=ping-sent`)
    expect((await stored(check)).check).toMatchObject({ status: 'up', nPings: 1 })
  })

  test('pause, which can be undone, and resume', async () => {
    const check = await add()
    await ping(check)
    const { location } = await member.post(pathOf(check), { action: 'pause' })
    expect(location).toMatch(/\?done=check-paused&undo=[\w-]+$/)
    expect((await stored(check)).check.status).toBe('paused')
    const { text } = await member.get(location ?? '')
    expect(text).toContain('Check paused.')
    expect(text).toContain('>Undo</button>')
    expect(text).toContain('name="action" value="resume"')
    expect(headOf(text)).toStartWith(`Paused by ${member.account.email} at 12:00. A ping resumes it.`)
    expect((await member.post(pathOf(check), { action: 'resume' })).location).toContain('done=check-resumed')
    expect((await stored(check)).check.status).toBe('new')
  })

  test('have a check watched again after a pause, which can be undone and is in the audit log', async () => {
    const check = await add({ schedule: '0 * * * *', tz: 'UTC' })
    await ping(check)
    for (const action of ['pause', 'resume']) await member.post(pathOf(check), { action })
    t.clock.advance({ minutes: 5 })
    expect(headOf((await member.get(pathOf(check))).text)).toContain('The next run is due at 13:00.')
    const { location } = await member.post(pathOf(check), { action: 'watch' })
    expect(location).toMatch(/\?done=check-watched&undo=[\w-]+$/)
    const { text } = await member.get(location ?? '')
    expect(text).toContain('The check is monitored from now on.')
    expect(headOf(text)).toStartWith('Up. Next ping due in 55 min, at 13:00.')
    expect(headOf(text)).toContain('Last run 12:00, on time 5 min ago')
    t.clock.advance({ minutes: 65 })
    await settle()
    const down = (await member.get(pathOf(check))).text
    expect(headOf(down)).toStartWith('Down for 0 s: the run due at 13:00 never reported.')
    expect(section(down, 'runs')).toContain('Missing')
    expect(section(down, 'days')).toContain('Up 12:05. Monitoring started.')
    const manager = await memberWith(t, 'manager', { email: 'manager@example.org' })
    expect(words((await manager.get('/p/tests/audit')).text)).toContain('resumed monitoring the check Backup')
    expect((await member.post(pathOf(check), { action: 'watch' })).location).toBe(pathOf(check))
  })

  test('a pause by the API says so', async () => {
    const check = await add()
    await ping(check)
    await t.call('POST', `/api/v3/checks/${check.id}/pause`, { key: t.keys.apiKey })
    const { text } = await member.get(pathOf(check))
    expect(headOf(text)).toStartWith('Paused by an API key at 12:00.')
  })

  test('say nothing when there is nothing to change', async () => {
    const check = await add()
    expect((await member.post(pathOf(check), { action: 'resume' })).location).toBe(pathOf(check))
  })

  test('refuse another action', async () => {
    expect((await member.post(pathOf(await add()), { action: 'delete' })).status).toBe(400)
  })
})

describe('the integrations', () => {
  test('are those that get the alerts, each with what became of the last one', async () => {
    const [a, b] = [aChannel(t.project, { name: 'A' }), aChannel(t.project, { name: 'B' })]
    for (const channel of [a, b]) await t.app.deps.store.by(anAuthor()).channels.create(channel)
    const check = await add({ channels: a.id })
    const alerts = async (browser: Browser = member) => section((await browser.get(pathOf(check))).text, 'alerts')
    expect(await alerts()).toBe('Alerts go to Edit A Webhook All alerts')
    await ping(check, '/fail')
    await settle()
    expect(await alerts(reader)).toBe('Alerts go to A Webhook12:00 Sent All alerts')
    const { text } = await member.get(pathOf(check))
    expect(text).toContain(`href="${pathOf(check, '/edit')}?tab=alerts"`)
  })

  test('are none, which the head says too', async () => {
    await t.app.deps.store.by(anAuthor()).channels.create(aChannel(t.project, { name: 'A' }))
    const check = await add()
    const { text } = await member.get(pathOf(check))
    expect(section(text, 'alerts')).toContain('This check alerts no one.')
    expect(section(text, 'now')).toStartWith(
      'This check alerts no one. If it fails, you will only see it here. Choose who is alerted',
    )
    const seen = section((await reader.get(pathOf(check))).text, 'now')
    expect(seen).toStartWith('This check alerts no one. If it fails, you will only see it here. New:')
  })

  test('are none in a project without integrations, which says who makes one', async () => {
    const { text } = await member.get(pathOf(await add()))
    expect(section(text, 'alerts')).toContain('This check alerts no one: the project has no integrations.')
    expect(section((await reader.get(pathOf(await add()))).text, 'alerts')).toContain('This check alerts no one')
  })
})
