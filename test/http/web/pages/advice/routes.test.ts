/** The advice of a project, and the line on the page of a check: their content by right, and the effects of answers. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Advice } from '../../../../../src/domain/advice/advice.ts'
import type { Check, CheckSpec } from '../../../../../src/domain/check/check.ts'
import { updateCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { giveAdvice, UNWATCHED, ZONE } from '../../../../support/advice.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/advice'

let t: TestApp
let member: Browser
let reader: Browser
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
  reader = await memberWith(t, 'read-only', { email: 'reader@example.org' })
})
afterEach(() => t.close())

const add = async (name: string, spec: CheckSpec = {}) =>
  (await upsertCheck(t.app.deps, t.actor, { name, schedule: '0 3 * * *', tz: 'Europe/Riga', ...spec }, false)).check
const give = (check: Check, ...advice: readonly Advice[]) => giveAdvice(t.app.deps, check.id, ...advice)
const stored = async ({ id }: Check) => (await t.app.deps.store.checks.find(id))?.check
const pathOf = ({ publicId }: Check, more = '') => `/p/tests/checks/${publicId}${more}`
const mainOf = (text: string) => wordsOf(/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '')

/** Presses a button of an advice, whose form has a field `c` for each check. */
async function answer(
  action: string,
  { kind, variant, fix }: Advice,
  back: string,
  ...checks: readonly Check[]
): Promise<string> {
  const fields = new URLSearchParams({ action, kind, variant, fix: JSON.stringify(fix), back })
  for (const { publicId } of checks) fields.append('c', publicId)
  const { origin } = new URL(t.app.deps.site.links.siteRoot)
  const type = 'application/x-www-form-urlencoded'
  const { status, headers } = await member.ask('POST', PATH, { origin, 'content-type': type }, fields.toString())
  expect(status).toBe(303)
  return headers.get('location') ?? ''
}

describe('the page of a check', () => {
  test('says what does not fit, with a fix of one click, a look at it, and "Not now"', async () => {
    const check = await add('Prices')
    await give(check, ZONE, UNWATCHED)
    const { text } = await member.get(pathOf(check))
    const [, line = ''] = /<div id="advice">([\s\S]*?)<\/form><\/div><\/div>/.exec(text) ?? []
    expect(wordsOf(line)).toBe('Runs at 03:00 UTC, 1 h after it is due, each day. Set the zone to UTC Look Not now')
    expect(line).toContain(`href="${pathOf(check, '/edit?tab=schedule&amp;fix=zone.0')}"`)
  })

  test('a fix is an edit, of which it says what it set and what is next, and which is undone', async () => {
    const check = await add('Prices')
    await t.call('GET', `/ping/${check.id}`)
    await give(check, ZONE)
    const location = await answer('fix', ZONE, pathOf(check), check)
    expect((await stored(check))?.tz).toBe('UTC')
    const { text } = await member.get(location)
    expect(mainOf(text)).toContain('Prices: Zone set to UTC. Next ping due')
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
    await member.post('/p/tests/undo', { token, back: pathOf(check) })
    expect((await stored(check))?.tz).toBe('Europe/Riga')
  })

  test('has its advice again as soon as the fix is undone', async () => {
    const check = await add('Prices', { tz: 'UTC', schedule: '0 3 * * *', grace: 3_600 })
    t.clock.set('2026-03-05T04:10:00Z')
    for (let night = 0; night < 4; night += 1) {
      await t.call('GET', `/ping/${check.id}`)
      t.clock.advance({ hours: 24 })
    }
    const settable = async () => {
      await member.get(pathOf(check))
      const kept = await t.app.deps.store.advice.find(check.id)
      return kept?.advice.find(({ fix }) => fix.do === 'set') ?? null
    }
    const found = await settable()
    if (found === null) throw new Error('nothing is found')
    const location = await answer('fix', found, pathOf(check), check)
    expect(await settable()).toBeNull()
    const [, token = ''] = /name="token" value="([^"]+)"/.exec((await member.get(location)).text) ?? []
    await member.post('/p/tests/undo', { token, back: pathOf(check) })
    expect(await settable()).toEqual(found)
  })

  test('the note after an answer is about a check that it changed, and is gone after a reload', async () => {
    const [other, check] = [await add('Stock'), await add('Prices')]
    await give(check, ZONE)
    const location = await answer('fix', ZONE, PATH, other, check)
    const { text } = await member.get(location)
    expect(mainOf(text)).toContain('Prices: Zone set to UTC.')
    expect(text).toMatch(/class="note answered" role="status" data-told/)
    expect(mainOf((await member.get(location.replace('=tz', '=nothing'))).text)).not.toContain('Prices:')
  })

  test('the note after a fix of several checks says nothing of the next ping of one', async () => {
    const checks = [await add('Stock'), await add('Prices')] as const
    for (const check of checks) {
      await t.call('GET', `/ping/${check.id}`)
      await give(check, ZONE)
    }
    const { text } = await member.get(await answer('fix', ZONE, PATH, ...checks))
    expect(mainOf(text)).toContain('2 checks: Zone set to UTC.')
    expect(mainOf(text)).not.toContain('Next ping due')
  })

  test('tells for some runs how it has gone since a fix', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    await answer('fix', ZONE, pathOf(check), check)
    await give(check)
    expect(mainOf((await member.get(pathOf(check))).text)).toContain('Zone set to UTC')
    expect(mainOf((await member.get(pathOf(check))).text)).toContain('no runs since.')
  })

  test('an advice that was put off is gone until it is taken up again', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    const location = await answer('later', ZONE, pathOf(check), check)
    const { text } = await member.get(location)
    expect(mainOf(text)).toContain('Prices: Not shown until 3 Apr')
    expect(mainOf(text)).not.toContain('Runs at 03:00 UTC')
    await answer('again', ZONE, pathOf(check), check)
    expect(mainOf((await member.get(pathOf(check))).text)).toContain('Runs at 03:00 UTC')
  })

  test('a fix of an advice that was withdrawn changes nothing, and says so', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    await updateCheck(t.app.deps, t.actor, check, { tz: 'Asia/Tokyo' }, false)
    expect(await answer('fix', ZONE, pathOf(check), check)).toBe(`${pathOf(check)}?done=advice-withdrawn`)
    expect((await stored(check))?.tz).toBe('Asia/Tokyo')
  })

  test('a fix of an advice that a look no longer finds changes nothing', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    t.clock.advance({ hours: 24 })
    expect(await answer('fix', ZONE, pathOf(check), check)).toBe(`${pathOf(check)}?done=advice-withdrawn`)
    expect((await stored(check))?.tz).toBe('Europe/Riga')
  })

  test('shows what is stored, and keeps a fix, when nobody can look at the check', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    await t.call('GET', `/ping/${check.id}`)
    const { advice } = t.app.deps.store
    Object.assign(advice, { claimLook: () => Promise.reject(new Error('the disk is full')) })
    expect(mainOf((await member.get(pathOf(check))).text)).toContain('Runs at 03:00 UTC')
    await answer('fix', ZONE, pathOf(check), check)
    expect((await stored(check))?.tz).toBe('UTC')
  })

  test('lines for the job have the URL of the check, and are for who may change it', async () => {
    const check = await add('Prices')
    await give(check, UNWATCHED)
    const link = `${pathOf(check)}?lines=ping-line`
    expect((await member.get(pathOf(check))).text).toContain(`href="${link}#fix-lines"`)
    const { text } = await member.get(link)
    expect(/<section class="card" id="fix-lines"[\s\S]*?<\/section>/.exec(text)?.[0]).toContain(`/ping/${check.id}/$?`)
    expect((await reader.get(link)).text).not.toContain('id="fix-lines"')
    expect((await member.get(`${pathOf(check)}?lines=nothing`)).text).not.toContain('id="fix-lines"')
  })

  test('a reader sees what does not fit and what to ask for, no buttons and no address', async () => {
    const check = await add('Prices')
    await give(check, { ...ZONE, says: ['Two senders ping it', { toEditors: [': 10.0.0.5 and 10.0.0.7'] }, '.'] })
    const { text } = await reader.get(pathOf(check))
    expect(mainOf(text)).toContain('Two senders ping it. A member can set the zone.')
    expect(text).not.toContain('10.0.0.5')
    expect(text).not.toContain('value="later"')
    expect((await member.get(pathOf(check))).text).toContain('10.0.0.5')
  })
})

describe('a look at a fix', () => {
  test('fills the schedule in without saving it, and offers the other readings', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    const { text } = await member.get(pathOf(check, '/edit?tab=schedule&fix=zone.0'))
    expect(text).toMatch(/name="tz"[^>]*value="UTC"/)
    expect(mainOf(text)).toContain(
      'The form is filled in with the proposal. Nothing is saved yet. It runs daily at 04:00 It takes that long',
    )
    expect((await member.get(pathOf(check, '/edit?tab=schedule&fix=zone.1'))).text).toMatch(
      /name="cron"[^>]*value="0 4 \* \* \*"/,
    )
    expect((await stored(check))?.tz).toBe('Europe/Riga')
  })

  test('is of the advice that its link names, the first or not', async () => {
    const check = await add('Prices')
    const grace: Advice = { ...ZONE, kind: 'grace', fix: { do: 'set', settings: { grace: 7_200 } }, otherFixes: [] }
    await give(check, { ...ZONE, says: ['Runs late.'] }, grace)
    const links = (await member.get(PATH)).text.match(/\bfix=[^"]+/g)
    expect(links).toEqual(['fix=zone.0', 'fix=grace.0'])
    const { text } = await member.get(pathOf(check, '/edit?tab=schedule&fix=grace.0'))
    expect(text).toMatch(/name="tz"[^>]*value="Europe\/Riga"/)
    expect(mainOf(text)).toContain(
      'Runs at 03:00 UTC, 1 h after it is due, each day. The form is filled in with the proposal.',
    )
  })

  test('fills the rules in, and the newest ping that was ignored', async () => {
    const check = await add('Prices', { methods: 'POST' })
    await t.call('GET', `/ping/${check.id}`)
    await give(check, { ...ZONE, kind: 'ignored', fix: { do: 'set', settings: { methods: '' } }, otherFixes: [] })
    const { text } = await member.get(pathOf(check, '/edit?tab=rules&fix=ignored.0&try=newest'))
    expect(text).toMatch(/name="methods" value="" checked/)
    expect(text).toMatch(/<option value="GET" selected>|value="GET" selected/)
  })
})

describe('the advice of a project', () => {
  test('stands together where check after check has the same one, with one fix for all', async () => {
    const checks = [await add('Prices'), await add('Stock'), await add('Orders', { tz: 'UTC' })] as const
    for (const check of checks.slice(0, 2)) await give(check, ZONE)
    await give(checks[2], UNWATCHED)
    const { text } = await member.get(PATH)
    expect(mainOf(text)).toStartWith('Advice 3 of 3 checks do not match their jobs.')
    expect(text).toMatch(/aria-current="page">Open 3<\/a>/)
    expect(mainOf(text)).toContain('2 checks: runs in another time zone')
    expect(mainOf(text)).toContain('Set the zone to UTC in all 2: 2 checks')
    await answer('fix', ZONE, PATH, checks[0], checks[1])
    expect([(await stored(checks[0]))?.tz, (await stored(checks[1]))?.tz]).toEqual(['UTC', 'UTC'])
  })

  test('leads from each check of several to its own page, where the fix needs more than a click', async () => {
    const checks = [await add('Prices'), await add('Stock')]
    for (const check of checks) await give(check, UNWATCHED)
    const { text } = await member.get(PATH)
    for (const check of checks) expect(text).toContain(`href="${pathOf(check)}?lines=ping-line#fix-lines"`)
    expect(mainOf(text)).toContain('2 checks: never pinged')
  })

  test('says what several checks have in common before it says more of each', async () => {
    for (const name of ['Prices', 'Stock']) await give(await add(name), UNWATCHED)
    const said = mainOf((await member.get(PATH)).text)
    expect(said.indexOf('2 checks: never pinged')).toBeLessThan(said.indexOf('Prices'))
  })

  test('offers no fix of one click for so many checks that nobody has tried it', async () => {
    for (let number = 0; number <= 60; number += 1) await give(await add(`Job ${number}`), ZONE)
    const { text } = await member.get(PATH)
    expect(mainOf(text)).toContain('Set the zone to UTC? Look at each check first.')
    expect(text).not.toContain('value="fix"')
    expect(text.match(/tab=schedule&amp;fix=zone.0/g)).toHaveLength(61)
  })

  test('praises no schedule while advice is put off', async () => {
    const check = await add('Prices')
    await give(check, ZONE)
    await answer('later', ZONE, PATH, check)
    expect(mainOf((await member.get(PATH)).text)).toContain('No open advice All advice has been postponed.')
  })

  test('says who has put an advice off and until when, and what was fixed', async () => {
    const [prices, stock] = [await add('Prices'), await add('Stock')]
    await give(prices, ZONE)
    await answer('later', ZONE, PATH, prices)
    expect(mainOf((await member.get(`${PATH}?state=later`)).text)).toMatch(
      /Prices Runs at 03:00 UTC.* Postponed by \S+@example\.org until 3 Apr.*Show again/,
    )
    expect((await reader.get(`${PATH}?state=later`)).text).not.toContain('Show again')
    await give(stock, ZONE)
    await answer('fix', ZONE, PATH, stock)
    await give(stock)
    expect(mainOf((await member.get(`${PATH}?state=done`)).text)).toContain('Stock Zone set to UTC.')
  })

  test('is empty when each schedule fits its job', async () => {
    await add('Prices')
    await add('Stock')
    expect(mainOf((await reader.get(PATH)).text)).toContain('All 2 schedules match their jobs.')
  })

  test('is counted in the menu', async () => {
    const check = await add('Prices')
    expect((await member.get(PATH)).text).toContain('data-tally="advised" hidden')
    await give(check, ZONE)
    expect((await member.get(PATH)).text).toMatch(/data-tally="advised"><b>1<\/b><i class="sr"> with advice</)
  })
})
