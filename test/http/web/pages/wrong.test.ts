/** The overview of all projects that a person may see. It is Wednesday noon in UTC. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../src/domain/actor.ts'
import type { Check, CheckSpec } from '../../../../src/domain/check/check.ts'
import type { Project } from '../../../../src/domain/project.ts'
import { createChannel } from '../../../../src/services/channels/channels.ts'
import { getCheck, pauseCheck, resumeCheck, upsertCheck } from '../../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../../src/services/pings/flips.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { type CourierFixture, courierFixture } from '../../../services/courier/courier-fixture.ts'
import { giveAdvice, UNTOLD, UNWATCHED, ZONE } from '../../../support/advice.ts'
import { addAccount, administrator, type Browser, memberWith, setRole, signedIn } from '../../../support/browser.ts'
import { openStream } from '../../../support/live-stream.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { webhook } from '../../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

const HOUR = 3_600

async function make(spec: CheckSpec, project: Project = t.project): Promise<Check> {
  return (await upsertCheck(t.app.deps, operatorIn(project), { channels: '*', ...spec }, true)).check
}

const ping = (check: Check, action = '', body?: string) =>
  t.call('POST', `/ping/${check.id}${action}`, body === undefined ? {} : { body })

/** Advances the clock, judges overdue checks, and sends the alerts. */
async function later(duration: { hours?: number; minutes?: number }): Promise<void> {
  t.clock.advance(duration)
  await flipOverdue(t.app.deps, t.clock.now())
  // A recovery waits for the alert before it.
  for (let round = 0; round < 3; round++) await d.deliver()
}

/** Returns the texts of parts of the page, without tags. */
async function read(browser: Browser) {
  const { text: page, status } = await browser.get('/')
  expect(status).toBe(200)
  const plain = (html: string) => wordsOf(html.replace(/<svg[^>]*aria-label="([^"]*)"[\s\S]*?<\/svg>/g, ' [$1] '))
  const [main = ''] = /<main[\s\S]*<\/main>/.exec(page) ?? []
  const [, intro = ''] = /<span id="wrong-counts">([\s\S]*?)<\/span><\/p>/.exec(page) ?? []
  const cards = Array.from(main.matchAll(/<li id="c[a-z0-9]{8}"[\s\S]*?<\/li>/g), ([card]) => card)
  const part = (id: string) => {
    const begin = main.search(new RegExp(`<section class="card[^"]*" id="${id}"`))
    return begin < 0 ? '' : plain(main.slice(begin, main.indexOf('</section>', begin)))
  }
  return { page, main, intro: plain(intro), cards, texts: cards.map(plain), part }
}

test('the newest come first: a slow run counts from its start, not from when it is due', async () => {
  const slow = await make({ name: 'Slow', timeout: 24 * HOUR, grace: 24 * HOUR })
  for (let run = 0; run < 5; run++) {
    await ping(slow, '/start')
    t.clock.advance({ minutes: 1 })
    await ping(slow)
  }
  await ping(slow, '/start')
  await later({ hours: 3 })
  await ping(await make({ name: 'Failed' }), '/fail')
  await later({ minutes: 1 })
  const names = (await read(await memberWith(t, 'member'))).texts.map((text) => /Failed|Slow/.exec(text)?.[0])
  expect(names).toEqual(['Failed', 'Slow'])
})

describe('a check that is down by silence', () => {
  test('says what is missing since when, how it ran, and who was told', async () => {
    await d.addChannel({ name: 'On-call' })
    const check = await make({ name: 'Offsite copy', timeout: HOUR, grace: HOUR })
    await ping(check)
    await later({ hours: 3 })
    const { texts, intro } = await read(await memberWith(t, 'member'))
    expect(texts).toEqual([
      'Down: Offsite copy Tests No ping since 12:00. 2 runs in a row are missing. Down for 1 h. Alerted: On-call 15:00.' +
        ' Nobody is on it. Incident of Offsite copy [Last 3 runs: 2 missing] I’m on it: Offsite copy Pause Offsite copy' +
        ' Last output of Offsite copy',
    ])
    expect(intro).toBe('1 check down.')
  })

  test('says why somebody was not alerted', async () => {
    t.answerWith(answered(500))
    await d.addChannel({ name: '' })
    const check = await make({ name: 'Offsite copy', timeout: HOUR, grace: HOUR })
    await ping(check)
    await later({ hours: 2 })
    const [text] = (await read(await memberWith(t, 'read-only'))).texts
    expect(text).toMatch(/Webhook has not been reached since \S+, next try at 14:0\d: ‘.*500.*’\./)
  })

  test('says that nobody is told without an integration', async () => {
    const check = await make({ name: 'Lonely', timeout: HOUR, grace: HOUR })
    await ping(check)
    await later({ hours: 2 })
    expect((await read(await memberWith(t, 'member'))).texts[0]).toContain(
      'No one was alerted: the check has no integration.',
    )
  })
})

test('a check that failed says its last words, and leads to them', async () => {
  const check = await make({ name: 'Import' })
  await ping(check, '/2', 'connecting\n<b>host key</b> has changed\n\n')
  await ping(check, '/log', 'noise')
  const { texts, cards } = await read(await memberWith(t, 'member'))
  expect(texts[0]).toContain(
    'Failed: exit status 2. Last line: ‘ &lt;b&gt;host key&lt;/b&gt; has changed ’. Down for 0 s.',
  )
  expect(cards[0]).toContain(`href="/p/${t.project.slug}/checks/${check.publicId}/log/1"`)
})

test('a check that is late says when alerts are sent, and what came last stands first', async () => {
  await d.addChannel({ name: 'On-call' })
  const late = await make({ name: 'Late', timeout: HOUR, grace: 2 * HOUR })
  const [first, second] = [await make({ name: 'First' }), await make({ name: 'Second' })]
  await ping(late)
  await ping(second, '/fail')
  await later({ minutes: 30 })
  await ping(first, '/fail')
  await later({ minutes: 31 })
  const { texts, intro } = await read(await memberWith(t, 'member'))
  expect(texts.map((text) => text.split(' Tests')[0])).toEqual(['Late: Late', 'Down: First', 'Down: Second'])
  expect(texts[0]).toContain('Due 13:00, no ping yet. Alerts are sent at 15:00, in 1 h 59 min.')
  expect(texts[0]).toContain('No one alerted yet.')
  expect(intro).toBe('2 checks down and 1 late.')
})

test('a run that takes longer than usual is listed below them, without being set up', async () => {
  await d.addChannel({ name: 'On-call' })
  const slow = await make({ name: 'Slow', timeout: HOUR, grace: HOUR })
  for (let count = 0; count < 5; count++) {
    await ping(slow, '/start')
    t.clock.advance({ minutes: 5 })
    await ping(slow)
  }
  await ping(slow, '/start')
  await later({ minutes: 6 })
  const member = await memberWith(t, 'member')
  expect((await read(member)).texts).toEqual([])
  await later({ minutes: 1 })
  const { texts, intro, part } = await read(member)
  expect(texts).toHaveLength(1)
  expect(texts[0]).toStartWith('Running: Slow Tests Started 12:25. Longer than usual: 5 min.')
  expect(intro).toBe('Nothing is down or late. 1 running longer than usual.')
  expect(part('places')).toContain('1 slow of 1')
})

test('times are in the zone of the account', async () => {
  const check = await make({ name: 'Import', timeout: HOUR, grace: 1_800 })
  await ping(check)
  await later({ minutes: 95 })
  const browser = await memberWith(t, 'member', { tz: 'Europe/Riga' })
  expect((await read(browser)).texts[0]).toContain('No ping since 14:00. Due 15:00, 30 minutes of grace ended 15:30.')
  expect((await browser.get('/')).text).toContain('Times are in Europe/Riga.')
})

describe('over several projects', () => {
  let other: Project
  beforeEach(async () => {
    other = (await createProject(t.app.deps, 'Warehouse')).project
    await ping(await make({ name: 'Here' }), '/fail')
    t.clock.advance({ minutes: 1 })
    await ping(await make({ name: 'There' }, other), '/fail')
    await ping(await make({ name: 'Fine' }, other))
  })

  test('everybody sees the trouble of their own, and an administrator all', async () => {
    const { texts, page } = await read(await memberWith(t, 'owner'))
    expect(texts.map((text) => text.split(' ')[1])).toEqual(['Here'])
    expect(page).not.toContain('Warehouse')
    const { texts: all, intro } = await read(await administrator(t))
    expect(all.map((text) => text.split(' ')[1])).toEqual(['There', 'Here'])
    expect(intro).toBe('2 checks down, in 2 projects. 1 as expected.')
    await createProject(t.app.deps, 'Calm')
    expect((await read(await administrator(t))).intro).toBe('2 checks down, in 2 of 3 projects. 1 as expected.')
    expect((await read(await signedIn(t, await addAccount(t)))).main).toContain('No projects')
  })

  test('each project says how it is, those with trouble first', async () => {
    const { project: calm } = await createProject(t.app.deps, 'Aardvark')
    const account = await addAccount(t)
    for (const project of [t.project, other, calm]) await setRole(t, account, 'member', project)
    const { part, intro, page } = await read(await signedIn(t, account))
    expect(part('places')).toBe('Projects New project Tests 1 down of 1 Warehouse 1 down of 2 Aardvark no checks yet')
    expect(intro).toBe('2 checks down, in 2 of your 3 projects. 1 as expected.')
    expect(page).toContain('<title>(2) Overview – Overdue</title>')
  })
})

test('the buttons are for who may use them, and no page of a reader has a ping address', async () => {
  const check = await make({ name: 'Import' })
  await ping(check, '/fail')
  const reader = await read(await memberWith(t, 'read-only'))
  expect(reader.cards[0]).not.toContain('Pause')
  for (const { page } of [reader, await read(await memberWith(t, 'owner'))]) expect(page).not.toContain(check.id)
})

describe('pausing a check', () => {
  test('takes it away, and can be undone from here', async () => {
    const check = await make({ name: 'Import' })
    await ping(check, '/fail')
    const browser = await memberWith(t, 'member')
    const { location } = await browser.post('/', { project: t.project.slug, check: check.publicId })
    expect(location).toStartWith('/?done=checks-paused&done-n=1&undo=')
    const { text } = await browser.get(location ?? '')
    expect(text).not.toContain(`id="c${check.publicId}"`)
    expect(text).toContain(`<form method="post" action="/p/${t.project.slug}/undo">`)
    expect((await getCheck(t.app.deps, t.actor, check.id)).check.status).toBe('paused')
  })

  test('that is gone, or in a project of others, changes nothing', async () => {
    const browser = await memberWith(t, 'member')
    const { project: other } = await createProject(t.app.deps, 'Others')
    const check = await make({ name: 'Theirs' }, other)
    expect((await browser.post('/', { project: other.slug, check: check.publicId })).status).toBe(404)
    const { location } = await browser.post('/', { project: t.project.slug, check: check.publicId })
    expect(location).toBe('/?done=nothing-changed')
    expect((await getCheck(t.app.deps, operatorIn(other), check.id)).check.status).toBe('new')
  })
})

test('what came back within a day says when, after how long, and who was told', async () => {
  await d.addChannel({ name: 'On-call' })
  const [check, old] = [await make({ name: 'Parcels' }), await make({ name: 'Old', timeout: 48 * HOUR })]
  await ping(old, '/fail')
  await ping(old)
  await later({ hours: 23 })
  await ping(check, '/fail')
  await later({ minutes: 40 })
  await ping(check)
  await later({ hours: 1 })
  const { part, intro } = await read(await memberWith(t, 'member'))
  expect(part('back-to-normal')).toBe(
    'Back to normal last 24 hours Parcels recovered at 11:40 after 40 min. 1 of 1 alert delivered.',
  )
  expect(intro).toBe('2 checks, all good.')
})

describe('when nothing is wrong', () => {
  test('it says so, and which pings are expected next', async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    await ping(await make({ name: 'Later', timeout: 2 * HOUR }))
    await ping(await make({ name: 'Sooner', timeout: HOUR }))
    t.clock.advance({ minutes: 57 })
    const { intro, main, part, page } = await read(await memberWith(t, 'read-only'))
    expect(intro).toBe('2 checks, all good.')
    expect(main).not.toContain('Needs attention')
    expect(part('night-card')).toEndWith('Sooner 13:00, in 3 min Later 14:00, in 1 h 3 min')
    expect(page).toContain('<title>Overview – Overdue</title>')
  })

  test('it names the projects whose checks alert no one, or were due and never pinged', async () => {
    const untold = await make({ name: 'Untold', timeout: 48 * HOUR })
    await ping(untold)
    await giveAdvice(t.app.deps, untold.id, UNTOLD)
    const other = (await createProject(t.app.deps, 'Other')).project
    const unwatched = await make({ name: 'Unpinged', timeout: HOUR }, other)
    await giveAdvice(t.app.deps, unwatched.id, UNWATCHED)
    const { intro, main, part } = await read(await administrator(t))
    expect(intro).toBe('Nothing is down or late. 2 checks would fail unnoticed.')
    expect(part('unheard')).toBe('Would fail unnoticed Other 1 was due and never pinged Tests 1 alerts no one')
    expect(main).toContain(`href="/p/${other.slug}/checks?advice=untold&amp;advice=unwatched"`)
    expect(main).not.toContain('all good')
    expect(part('places')).toContain('Tests 1 alerts no one')
  })

  test('it names some checks that do not fit their jobs, with their advice', async () => {
    const check = await make({ name: 'In UTC', timeout: 48 * HOUR })
    await ping(check)
    await giveAdvice(t.app.deps, check.id, ZONE)
    // Projects are read in the order of their creation.
    t.clock.advance({ seconds: 1 })
    const other = (await createProject(t.app.deps, 'Other')).project
    for (const name of ['A', 'B', 'C']) {
      const { id } = await make({ name, timeout: 48 * HOUR }, other)
      await giveAdvice(t.app.deps, id, ZONE)
    }
    const { main, part } = await read(await administrator(t))
    expect(part('fixing')).toContain('In UTC: Runs at 03:00 UTC, 1 h after it is due, each day.')
    expect(part('fixing')).toStartWith('Worth fixing All 4 advice')
    expect(main).toContain('href="/advice"')
    expect(main).toContain(`href="/p/tests/checks/${check.publicId}#advice"`)
  })

  test('new, resumed and paused checks are counted apart', async () => {
    await ping(await make({ name: 'Fine' }))
    await make({ name: 'Fresh' })
    const [paused, resumed] = [await make({ name: 'Paused' }), await make({ name: 'Resumed' })]
    await ping(resumed)
    await pauseCheck(t.app.deps, t.actor, paused)
    const { check } = await pauseCheck(t.app.deps, t.actor, (await getCheck(t.app.deps, t.actor, resumed.id)).check)
    await resumeCheck(t.app.deps, t.actor, check)
    const { intro, part } = await read(await memberWith(t, 'member'))
    const words = '1 as expected, 1 not pinged yet, 1 resumed and not pinged since, 1 paused'
    expect(intro).toBe(`Nothing is down or late. ${words}.`)
    expect(part('places')).toEndWith(`Tests ${words}`)
  })

  test('a project without checks says what a check is', async () => {
    expect((await read(await memberWith(t, 'member'))).main).toContain('A check expects pings')
  })
})

describe('the card of the night', () => {
  const NIGHTLY = { kind: 'cron', tz: 'UTC', graceSeconds: 3_600 } as const

  test('has only what was not as expected, with the sentence of the page Night, and what is expected next beside it', async () => {
    const checks = [
      await make({ ...NIGHTLY, name: 'Backup', schedule: '0 2 * * *' }),
      await make({ ...NIGHTLY, name: 'Export', schedule: '0 3 * * *' }),
      await make({ ...NIGHTLY, name: 'Import', schedule: '0 4 * * *' }),
    ]
    await make({ ...NIGHTLY, name: 'Monthly', schedule: '0 4 1 * *' })
    for (const check of checks) await ping(check)
    const [backup, , failed] = checks
    t.clock.set('2026-03-05T02:00:00Z')
    if (backup) await ping(backup)
    t.clock.set('2026-03-05T04:05:00Z')
    await flipOverdue(t.app.deps, t.clock.now())
    if (failed) await ping(failed, '/fail')
    t.clock.set('2026-03-05T08:30:00Z')
    const reader = await memberWith(t, 'read-only')
    const { part, main } = await read(reader)
    const card = part('night-card')
    expect(card).toStartWith('Last night 18:00 to 08:00, UTC Open the night 1 of 3 ran; 1 missing, 1 failed.')
    expect(card).toContain('Export missing since 03:00 Import failed 04:05')
    expect(card).toEndWith('1 as expected 1 not due')
    expect(card).not.toContain('Backup')
    expect(part('coming')).toStartWith('Next expected Backup tomorrow 02:00')
    expect(main).toContain('<a href="/night">1 as expected</a>')
    expect(wordsOf((await reader.get('/night')).text)).toContain('1 of 3 ran; 1 missing, 1 failed.')
  })

  test('of many checks is not waited for, and comes with the live page', async () => {
    for (let number = 0; number <= 100; number++)
      await make({ ...NIGHTLY, name: `Job ${number}`, schedule: '0 2 * * *' })
    const reader = await memberWith(t, 'read-only')
    expect((await read(reader)).part('night-card')).toBe(
      'Night Open the night The logs are being read. The night appears here in a moment.',
    )
    const stream = await openStream(t, reader, '/live?view=wrong')
    let told = ''
    while (told === '')
      told = (await stream.take()).map(({ event, data }) => (event === 'message' ? data : '')).join('')
    expect(wordsOf(told)).toContain('Last night 18:00 to 08:00, UTC')
    await stream.leave()
    expect((await read(reader)).part('night-card')).toStartWith('Last night 18:00 to 08:00, UTC')
  })

  test('is not there without checks', async () => {
    expect((await read(await memberWith(t, 'member'))).part('night-card')).toBe('')
  })
})

test('many troubles are fifty cards, and the number of the others by project', async () => {
  for (let number = 0; number < 53; number++) await ping(await make({ name: `Job ${number}` }), '/fail')
  const { cards, intro, main } = await read(await memberWith(t, 'member'))
  expect(cards).toHaveLength(50)
  expect(intro).toBe('53 checks down.')
  expect(main).toContain('<h2 id="rest-h">3 more</h2>')
  expect(main).toContain(`href="/p/${t.project.slug}/checks?status=down&amp;status=late"`)
})

test('names of others are escaped and enclosed', async () => {
  const check = await make({ name: '<b>\u202ejob' })
  await ping(check, '/fail', '<i>\u0000\u202e')
  const { cards } = await read(await memberWith(t, 'member'))
  expect(cards[0]).not.toMatch(/<b>|<i>|\0/)
  expect(cards[0]?.replace(/<bdi>[^<]*<\/bdi>/g, '')).not.toContain('\u202e')
})
