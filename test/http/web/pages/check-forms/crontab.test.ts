/** A pasted crontab: checks for its jobs, and the crontab with their pings. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { type Fields, memberWith, setRole } from '../../../../support/browser.ts'
import { errorsOf, unescaped, wordsOf } from '../../../../support/page-words.ts'
import { aChannel, anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let member: Awaited<ReturnType<typeof memberWith>>
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member', { tz: 'Europe/Riga', email: 'ann@example.org' })
})
afterEach(() => t.close())

const CHECKS = '/p/tests/checks'
const PATH = `${CHECKS}/new/crontab`
const TEXT = `# m h dom mon dow command
MAILTO=ops@example.org
CRON_TZ=America/Lima
0 2 * * *   /opt/backup/db.sh
*/90 * * * * /opt/shop/feeds.sh
15 7 * * 1-5 /opt/finance/bank-import
@daily      /opt/shop/giftcards expire
@reboot     /opt/shop/worker
0 25 * * * /opt/never
0 4 * * * curl -fsS https://hc.example.org/ping/6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1
`
const FORM: Fields = {
  crontab: TEXT,
  tz: 'Europe/Riga',
  grace: '1',
  'grace-unit': 'hours',
  start: 'on',
  output: 'on',
  action: 'preview',
}

const post = (fields: Fields = {}) => member.post(PATH, { ...FORM, ...fields })
const create = (fields: Fields = {}) => post({ action: 'create', ...fields })
const checks = async () => (await t.app.deps.store.checks.list(t.project.id, {}, null)).items
const named = async () => (await checks()).map(({ check }) => check.name)
const channel = async (name: string) => {
  const made = aChannel(t.project, { name })
  await t.app.deps.store.by(anAuthor()).channels.create(made)
  return made
}
/** Returns the crontab to install. */
const back = (page: string) =>
  unescaped((/<pre id="crontab-back"[^>]*>\n?([\s\S]*?)<\/pre>/.exec(page)?.[1] ?? '').replace(/<\/?b>/g, ''))
/** Returns the fields of the job with that name. */
function fieldsOf(page: string, name: string) {
  const key = new RegExp(`name="name-(\\w+)" value="${RegExp.escape(name)}"`).exec(page)?.[1]
  return { name: `name-${key}`, tick: `make-${key}` }
}

describe('a pasted crontab', () => {
  test('begins empty, with all integrations on and no zone, which nobody guesses', async () => {
    await channel('Ops')
    const { status, text } = await member.get(PATH)
    expect(status).toBe(200)
    expect(text).toMatch(/name="tz"[^>]* value=""/)
    expect(text).toMatch(/name="to-[^"]*" value="on" checked>.*Ops/)
    expect(wordsOf(text)).toContain('Nothing has been pasted yet.')
    expect(text).toContain('such as <code>30 3 * * * /opt/backup/db.sh</code>')
  })

  test('is previewed line by line, and nothing is stored', async () => {
    const { status, text } = await post()
    expect(status).toBe(200)
    const words = wordsOf(text)
    expect(words).toContain('7 jobs: 4 new, 1 already monitored, 2 cannot be monitored.')
    expect(words).toContain('*/90 * * * *')
    expect(words).toContain('Steps start again every hour, so &quot;*/90&quot; is once an hour.')
    expect(words).toContain('The job runs when the machine starts, so it has no expected time.')
    expect(words).toContain('The crontab sets CRON_TZ')
    expect(text).toContain('class="caret"')
    for (const name of ['db.sh', 'feeds.sh', 'bank-import', 'giftcards']) expect(text).toContain(`value="${name}"`)
    expect(text).toContain('Create 4 checks')
    expect(await checks()).toEqual([])
  })

  test('comes back with the pings of its jobs, by the ping key and the slug', async () => {
    const { text } = await post()
    expect(back(text).split('\n')[3]).toBe(
      `0 2 * * *   /usr/local/bin/overdue-run --check ${t.app.deps.site.links.pingEndpoint}${t.keys.pingKey}/db-sh -- /opt/backup/db.sh`,
    )
    expect(text).toContain('First install the script on the machine')
    expect(text).toContain('<option value="overdue-run" selected>')
  })

  test('comes back with the wrapper that was chosen, which stays chosen', async () => {
    const { text } = await post({ by: 'overdue' })
    expect(back(text)).toContain('0 2 * * *   /usr/local/bin/overdue run --check http')
    expect(text).toContain('<option value="overdue" selected>')
  })

  test('comes back with lines for curl, if somebody says so', async () => {
    const { text } = await post({ by: 'curl' })
    const url = `${t.app.deps.site.links.pingEndpoint}${t.keys.pingKey}`
    const lines = back(text).split('\n')
    expect(lines.slice(0, 3)).toEqual(TEXT.split('\n').slice(0, 3))
    expect(lines[3]).toStartWith(`0 2 * * *   curl -fsSL -m 5 -o /dev/null ${url}/db-sh/start; _log=$(mktemp);`)
    expect(lines[3]).toContain('{ /opt/backup/db.sh; } >"$')
    expect(lines[3]).toContain('2>&1; s=$?; cat "$_log"; tail -c 10000')
    expect(lines[3]).toEndWith(`${url}/db-sh/$s; rm -f "$_log"; exit $s`)
    expect(lines.slice(7)).toEqual(TEXT.split('\n').slice(7))
    expect(text).toContain('<b>0 2 * * *')
  })

  test('sends only the exit status if nothing else is ticked', async () => {
    const { start: _, output: __, ...rest } = FORM
    const { text } = await member.post(PATH, { ...rest, by: 'curl' })
    const [, , , line] = back(text).split('\n')
    expect(line).toStartWith('0 2 * * *   /opt/backup/db.sh; s=$?; curl ')
    expect(line).not.toContain('tail')
  })

  test('becomes checks in the zone that was asked, with one undo for all', async () => {
    const ops = await channel('Ops')
    const { status, location } = await create({ [`to-${ops.id}`]: 'on' })
    expect(status).toBe(303)
    expect(location).toStartWith(`${CHECKS}?done=checks-made&done-n=4&undo=`)
    expect(
      (await checks()).map(({ check, channelIds }) => [check.slug, check.schedule, check.tz, ...channelIds]),
    ).toEqual([
      ['db-sh', '0 2 * * *', 'Europe/Riga', ops.id],
      ['feeds-sh', '*/90 * * * *', 'Europe/Riga', ops.id],
      ['bank-import', '15 7 * * 1-5', 'Europe/Riga', ops.id],
      ['giftcards', '0 0 * * *', 'Europe/Riga', ops.id],
    ])
    const token = new URLSearchParams(location?.split('?')[1]).get('undo') ?? ''
    const undone = await member.post('/p/tests/undo', { token, back: CHECKS })
    expect(undone.location).toBe(`${CHECKS}?done=undone-creation&done-n=4`)
    expect(await checks()).toEqual([])
  })

  test('keeps the names that were typed, also when lines come before them, and leaves out what is not ticked', async () => {
    const { text } = await post()
    const [db, feeds, bank] = [fieldsOf(text, 'db.sh'), fieldsOf(text, 'feeds.sh'), fieldsOf(text, 'bank-import')]
    const typed = { [db.name]: 'Nightly backup', [db.tick]: 'on', [feeds.name]: 'feeds.sh', [bank.name]: '' }
    await create({ ...typed, [bank.tick]: 'on', crontab: `1 1 * * * /opt/first\n${TEXT}` })
    expect((await checks()).map(({ check }) => [check.name, check.slug])).toEqual([
      ['first', 'first'],
      ['Nightly backup', 'nightly-backup'],
      ['bank-import', 'bank-import'],
      ['giftcards', 'giftcards'],
    ])
  })

  test('is refused whole while a name is too long, or its slug is taken', async () => {
    await upsertCheck(t.app.deps, t.actor, { name: 'Mine', slug: 'mine' }, false)
    const { text } = await post()
    const db = fieldsOf(text, 'db.sh')
    for (const [name, mistake] of [
      ['x'.repeat(101), 'This is too long: at most 100 characters.'],
      ['Mine', 'Another check has the slug mine. Choose another name.'],
      ['feeds.sh', 'Another check has the slug feeds-sh. Choose another name.'],
    ] as const) {
      const answer = await create({ [db.name]: name, [db.tick]: 'on' })
      expect(answer.status).toBe(422)
      expect(wordsOf(answer.text)).toContain(mistake)
    }
    expect(await named()).toEqual(['Mine'])
  })

  test('that is pasted again shows its checks as watched, and gets pings until the first has come', async () => {
    await create()
    const again = await post()
    expect(wordsOf(again.text)).toContain('7 jobs: 5 already monitored, 2 cannot be monitored.')
    expect(back(again.text)).toContain('/db-sh -- /opt/backup/db.sh')
    const [first] = await checks()
    await t.call('POST', `/ping/${first?.check.id}`)
    const later = await post()
    expect(back(later.text)).not.toContain('/db-sh -- ')
    expect(back(later.text)).toContain('/feeds-sh -- /opt/shop/feeds.sh')
    expect((await create()).status).toBe(422)
    expect(await checks()).toHaveLength(4)
  })

  test('by two people at once makes each check once', async () => {
    await Promise.all([create(), create()])
    expect((await named()).toSorted()).toEqual(['bank-import', 'db.sh', 'feeds.sh', 'giftcards'])
  })

  test('asks for the zone, and for someone who is alerted, before it creates anything', async () => {
    await channel('Ops')
    const { status, text } = await create({ tz: '' })
    expect(status).toBe(422)
    expect(errorsOf(text)).toEqual({ tz: 'Choose the time zone of the machine. The command “date” shows it.' })
    expect(text).toContain('Choose an integration, or nobody would be alerted.')
    expect(errorsOf((await post({ tz: 'Europe/Rige', grace: '1', 'grace-unit': 'seconds' })).text)).toEqual({
      tz: 'Europe/Rige is not a time zone. Europe/Riga?',
      grace: 'Too short: it must be at least 1 minute.',
    })
    expect(await checks()).toEqual([])
  })

  test('without a grace time gets one for each job', async () => {
    await create({ crontab: '*/5 * * * * /opt/a\n0 3 * * * /opt/b\n', grace: '' })
    expect((await checks()).map(({ check }) => check.graceSeconds)).toEqual([300, 3_600])
  })

  test('over 200 lines is refused, with the command that takes it', async () => {
    const { status, text } = await post({ crontab: '1 1 * * * /opt/a\n'.repeat(201) })
    expect(status).toBe(422)
    expect(errorsOf(text).crontab).toBe(
      'This crontab has 201 lines, but the page accepts only 200. Save it as a file, and use the command “overdue import crontab FILE”.',
    )
    expect((await post({ crontab: '1 1 * * * /opt/a\n'.repeat(200) })).status).toBe(200)
  })

  test('of the system names users, if somebody says so', async () => {
    const crontab = '17 * * * * root /opt/hourly\n0 3 * * * root /opt/nightly\n'
    expect(wordsOf((await post({ crontab })).text)).toContain('2 jobs: 2 cannot be monitored.')
    const { text } = await post({ crontab, system: 'on' })
    expect(text).toContain('value="hourly"')
    expect(back(text)).toContain('17 * * * * root /usr/local/bin/overdue-run ')
  })

  test('of one line opens the form of one check, filled in', async () => {
    const { status, text } = await post({ crontab: '30 3 * * * /opt/backup/db.sh --all\r\n' })
    expect(status).toBe(200)
    expect(text).toContain('<title>New check – Tests – Overdue</title>')
    expect(text).toMatch(/id="name"[^>]* value="db.sh"/)
    expect(text).toMatch(/name="cron"[^>]* value="30 3 \* \* \*"/)
    expect(text).toMatch(/name="tz"[^>]* value="Europe\/Riga"/)
    expect(text).not.toContain('--all')
  })

  test('is answered in parts while somebody types', async () => {
    const { status, text } = await member.post(`${PATH}/preview`, FORM)
    expect(status).toBe(200)
    for (const id of [
      'jobs-words',
      'jobs',
      'crontab-back',
      'back-words',
      'create',
      'crontab-below',
      'tz-below',
      'grace-below',
    ])
      expect(text).toContain(`id="${id}"`)
    expect(text).not.toContain('<textarea')
  })

  test('cannot break the page, whatever is in it', async () => {
    const odd = [
      '0 3 * * * /opt/<b>x</b> "</pre><script>alert(1)</script>"',
      `0 4 * * * ${'x'.repeat(20_000)}`,
      `${'9'.repeat(5_000)} 4 * * * /opt/a`,
      '0\t5\t*\t*\t*\t/opt/tabs',
      '0 6 * * * /opt/percent %input%more',
      '0 7 * * * /opt/cr\r',
      `${'"'.repeat(300)}=1`,
      '0 8 * * * /opt/a \\',
      'ünï = 1',
      '\u202e0 9 * * * /opt/bidi',
    ].join('\n')
    const { status, text } = await post({ crontab: odd })
    expect(status).toBe(200)
    expect(text).not.toContain('<script>alert')
    expect(back(text)).toContain('/tabs -- /opt/tabs\n')
    expect(back(text)).toContain('/percent -- /opt/percent %input%more\n')
    expect((await post({ crontab: '\0' })).status).toBe(400)
  })

  test('without a ping key is watched all the same, and its page says where to make one', async () => {
    await t.app.deps.store.by(anAuthor()).keys.delete(t.project.id, t.keys.pingKey)
    const { text } = await post()
    expect(wordsOf(text)).toContain('The project has no ping key, which the lines of the crontab need.')
    expect((await create()).status).toBe(303)
  })

  test('is not for who may only read', async () => {
    await setRole(t, member.account, 'read-only')
    expect([(await member.get(PATH)).status, (await create()).status]).toEqual([403, 403])
    expect(await checks()).toEqual([])
  })
})

describe('“Save and add another”', () => {
  const ONE: Fields = {
    ...{ name: 'Nightly backup', slug: '', tags: 'db', desc: 'Call Ann', kind: 'cron', cron: '0 2 * * *' },
    ...{ tz: 'Europe/Riga', grace: '2', 'grace-unit': 'hours', action: 'add-another' },
  }

  test('leads to the form again, with the schedule, tags and integrations of the check', async () => {
    const [ops, night] = [await channel('Ops'), await channel('Night')]
    const { location } = await member.post(`${CHECKS}/new`, { ...ONE, [`to-${ops.id}`]: 'on' })
    const [made] = await checks()
    expect(location).toBe(`${CHECKS}/new?after=${made?.check.publicId}&done=check-made`)
    const { text } = await member.get(location ?? '')
    expect(text).toMatch(/id="name"[^>]* value=""/)
    expect(text).toMatch(/id="tags"[^>]* value="db"/)
    expect(text).not.toContain('Call Ann')
    expect(text).toMatch(/name="cron"[^>]* value="0 2 \* \* \*"/)
    expect(text).toMatch(new RegExp(`name="to-${ops.id}" value="on" checked`))
    expect(text).not.toMatch(new RegExp(`name="to-${night.id}" value="on" checked`))
  })

  test('begins anew when that check is gone', async () => {
    const { status, text } = await member.get(`${CHECKS}/new?after=gonegone`)
    expect([status, text.includes('value="simple" checked')]).toEqual([200, true])
  })
})
