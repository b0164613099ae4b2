/** The list of checks: its content by right, its filters, and texts of hostile clients. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createChannel } from '../../../../../src/services/channels/channels.ts'
import { pauseCheck, upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { giveAdvice, UNTOLD, UNWATCHED, ZONE } from '../../../../support/advice.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { webhook } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/checks'

let t: TestApp
let member: Browser
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member', { tz: 'Europe/Riga' })
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
})
afterEach(() => t.close())

const add = async (spec: Readonly<Record<string, unknown>>) =>
  (await upsertCheck(t.app.deps, t.actor, { channels: '*', ...spec }, false)).check
const page = async (search = '') => (await member.get(PATH + search)).text
/** Returns rows such as `Down is down`, in the order of the page. */
const rows = (text: string) =>
  Array.from(text.matchAll(/<tr id=c\w{8} .*?<td>.*?<td>(\w+)<th scope=row><a [^>]*>(.*?)<\/a>/g), (row) =>
    [row[1], row[2]?.replace(/<[^>]+>/g, '')].join(' '),
  )
const names = (text: string) => rows(text).map((row) => row.slice(row.indexOf(' ') + 1))

/** Adds a check of each state. */
async function addEachState() {
  await pauseCheck(t.app.deps, t.actor, await add({ name: 'is paused', tags: 'a b' }))
  await add({ name: 'is new', tags: 'b' })
  const down = await add({ name: 'is down', timeout: 60, grace: 60, tags: 'a' })
  const late = await add({ name: 'is late', timeout: 60, grace: 3600, tags: 'a b' })
  const up = await add({ name: 'is up', timeout: 86_400 })
  const started = await add({ name: 'is running', timeout: 86_400 })
  for (const { id } of [down, late, up]) await t.call('GET', `/ping/${id}`)
  await t.call('GET', `/ping/${started.id}/start`)
  t.clock.advance({ minutes: 10 })
  await t.app.settle('overdue')
}

test('a project without checks leads who may write to a new one, and a reader nowhere', async () => {
  const text = await page()
  expect(text).toContain('<h2>No checks yet</h2>')
  expect(text).toContain('href="/p/tests/checks/new"')
  expect(text).toContain('href="/p/tests/first-ping"')
  const read = await (await memberWith(t, 'read-only')).get(PATH)
  expect(read.text).toContain('<h2>No checks yet</h2>')
  expect(read.text).not.toMatch(/first-ping|checks\/new/)
})

test('those that need somebody come first, each with its sentence; the others by name', async () => {
  await addEachState()
  const text = await page()
  expect(rows(text)).toEqual([
    'Down is down',
    'Late is late',
    'Running is running',
    'Up is up',
    'New is new',
    'Paused is paused',
  ])
  expect(text).toContain('1 down, 1 late. 2 as expected, 1 not pinged yet, 1 paused.')
  expect(text).toMatch(
    /Needs attention <b id="n-needs">2<\/b>[\s\S]*is late[\s\S]*As expected <b id="n-expected">2<\/b>[\s\S]*is up[\s\S]*Not pinged yet <b id="n-unpinged">1<\/b>[\s\S]*is new/,
  )
  expect(text).toMatch(/is down<\/bdi><\/a> <a href="\?tag=a">a<\/a><p>No ping since <time [^>]*>14:00<\/time>/)
  expect(text).toContain('Times are in Europe/Riga, as of <time datetime="2026-03-04T12:10:00Z">')
})

test('a check that alerts no one, or was due and never pinged, needs somebody: it is marked, counted, and found by its chip', async () => {
  await add({ name: 'is fine', timeout: 604_800 })
  const unwatched = await add({ name: 'is never pinged', timeout: 3600, grace: 3600 })
  const untold = await add({ name: 'is untold', timeout: 604_800, channels: '' })
  await t.call('GET', `/ping/${untold.id}`)
  await giveAdvice(t.app.deps, unwatched.id, UNWATCHED)
  await giveAdvice(t.app.deps, untold.id, UNTOLD)
  const text = await page()
  expect(rows(text)).toEqual(['New is never pinged', 'Up is untold', 'New is fine'])
  expect(text).toContain('1 alerts no one, 1 was due and never pinged. 1 not pinged yet.')
  expect(text).toMatch(
    /Needs attention <b id="n-needs">2<\/b>[\s\S]*is untold[\s\S]*Not pinged yet <b id="n-unpinged">1<\/b>/,
  )
  expect(text).toMatch(/is untold<\/bdi><\/a><a class=bulb .*?<\/a><p>This check alerts no one\./)
  expect(text).toMatch(/is never pinged<\/bdi><\/a><a class=bulb .*?<\/a><p>Never pinged in 3 days/)
  expect(text).toMatch(/href="\/p\/tests\/checks\?advice=untold">.*?Alerts no one <b id="n-untold">1<\/b>/)
  expect(names(await page('?advice=untold'))).toEqual(['is untold'])
  expect(names(await page('?advice=untold&advice=unwatched&status=new'))).toEqual(['is never pinged'])
  expect(await page('?advice=untold&q=nothing')).toContain('No checks match ‘<bdi>nothing</bdi>’ and ‘alerts no one’.')
})

test('a check that does not fit its job stays among the others, with a mark, and a chip finds it', async () => {
  const up = await add({ name: 'is up' })
  await t.call('GET', `/ping/${up.id}`)
  expect(await page()).not.toContain('id="n-any"')
  await giveAdvice(t.app.deps, up.id, ZONE)
  const text = await page()
  expect(text).toContain('1 check, all good.')
  expect(text).toMatch(
    /is up<\/bdi><\/a><a class=bulb href=checks\/\w+#advice title="Advice: runs in another time zone"/,
  )
  expect(text).toMatch(/href="\/p\/tests\/checks\?advice=any">.*?Advice <b id="n-any">1<\/b>/)
  expect(names(await page('?advice=any'))).toEqual(['is up'])
})

test('each row says who is alerted: the oldest integration and the number of others, or no one', async () => {
  const chat = await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '<i>"x', settings: webhook() })
  await add({ name: 'is told to all' })
  await add({ name: 'is told to one', channels: chat.id })
  await add({ name: 'is told to nobody', channels: '' })
  const text = await page()
  const cell = (name: string) => new RegExp(`<bdi>${name}</bdi>.*?(?:<td.*?){2}>(.*?)<td>`).exec(text)?.[1] ?? ''
  expect(text).toContain('<td title="Ops, Webhook, &lt;i&gt;&quot;x"><bdi>Ops</bdi><i>+2</i>')
  expect(cell('is told to one')).toBe('<bdi>Webhook</bdi>')
  expect(cell('is told to nobody')).toMatch(/^<strong><svg .*<\/svg>no one<\/strong>$/)
})

test('a paused check says since when and what resumes it, a new one when it was made', async () => {
  await pauseCheck(t.app.deps, t.actor, await add({ name: 'is paused' }))
  await pauseCheck(t.app.deps, t.actor, await add({ name: 'stays paused', manual_resume: true }))
  await add({ name: 'is new' })
  t.clock.advance({ hours: 3 })
  const text = (await page()).replaceAll(/<\/?time[^>]*>/g, '')
  expect(text).toMatch(/is paused<\/bdi><\/a><p>Paused since 14:00 by a command\. A ping resumes it\.</)
  expect(text).toMatch(
    /stays paused<\/bdi><\/a><p>Paused since 14:00 by a command\. It stays paused until you resume it\.</,
  )
  expect(text).toMatch(/is new<\/bdi><\/a><p>Created 3 h ago\. Monitoring starts with the first ping\.</)
})

test('a pause by a person has their name', async () => {
  const check = await add({ name: 'is paused' })
  await member.post(PATH, { action: 'pause', c: check.publicId })
  t.clock.advance({ hours: 3 })
  const text = (await page()).replaceAll(/<\/?(?:time|bdi)[^>]*>/g, '')
  expect(text).toMatch(/is paused<\/a><p>Paused since 14:00 by \S+@example\.org\. A ping resumes it\.</)
})

describe('the last 24 hours', () => {
  const show = (picture: string) => member.post('/p/tests/view', { picture, match: '?q=backup' })
  /** Returns letters and words of the check by that name. */
  const day = (text: string, name: string) => {
    const found = new RegExp(`<bdi>${name}</bdi>.*?<td data-q=(\\d+) data-r=(\\S+)>(.*)`).exec(text)
    return { quarter: Number(found?.[1]), letters: found?.[2] ?? '', words: found?.[3] ?? '' }
  }

  test('stand in place of the last runs for whoever wants them, on all of their devices', async () => {
    await t.call('GET', `/ping/${(await add({ name: 'backup', kind: 'cron', schedule: '0 12 * * *', tz: 'UTC' })).id}`)
    expect(await page()).toContain('<th scope="col">Last 30 runs')
    const { status, location } = await show('24h')
    expect([status, location]).toEqual([303, `${PATH}?q=backup`])
    const text = await page()
    expect(text).toContain('<table class="list day"')
    // From 15:00 in Riga, where it is 14:00 now.
    expect(text).toMatch(
      /<th scope="col" id="hours" data-from="\d+" data-r="\d+"><span class="sr">Last 24 hours<\/span>/,
    )
    expect(
      /id="hours".*?<\/ol>/
        .exec(text)?.[0]
        .match(/\d\d(?=<|$)/g)
        ?.join(' '),
    ).toBe('15 18 21 00 03 06 09 12 15')
    expect(text).not.toMatch(/Last 30 runs|Since last|>Took</)
    const { quarter, letters, words } = day(text, 'backup')
    expect(quarter).toBe(t.clock.now().epochMilliseconds / 900_000)
    expect(letters).toBe(`${'.'.repeat(92)}r`)
    expect(words).toBe('14:00')
    await show('nonsense')
    expect(await page()).toContain('<table class="list day"')
    await show('runs')
    expect(await page()).toContain('<table class="list"')
    const changes = (await t.app.deps.store.audit.list(20)).map(({ after }) => after?.list_picture)
    expect(changes).toContain('24h')
  })

  test('say what failed, what is missing and what was paused', async () => {
    const failed = await add({ name: 'fails', kind: 'cron', schedule: '0 12 * * *', tz: 'UTC', grace: 60 })
    await add({ name: 'is new' })
    const silent = await add({ name: 'is silent', timeout: 3_600, grace: 600 })
    await t.call('GET', `/ping/${failed.id}/fail`)
    await t.call('GET', `/ping/${silent.id}`)
    const paused = await add({ name: 'is paused', timeout: 86_400 })
    await t.call('GET', `/ping/${paused.id}`)
    await member.post(PATH, { action: 'pause', c: paused.publicId })
    await pauseCheck(t.app.deps, t.actor, await add({ name: 'never ran' }))
    t.clock.advance({ hours: 3 })
    await t.app.settle('overdue')
    await show('24h')
    const text = await page()
    expect(day(text, 'fails')).toMatchObject({ letters: `${'.'.repeat(80)}F${'.'.repeat(12)}`, words: 'failed 14:00' })
    expect(day(text, 'is silent').letters).toBe(`${'.'.repeat(80)}r...M...M....`)
    expect(day(text, 'is silent').words).toContain('missing since 15:00')
    expect(day(text, 'is paused')).toMatchObject({ letters: `${'.'.repeat(80)}r${'p'.repeat(12)}` })
    expect(day(text, 'is paused').words).toBe('14:00, paused from 14:00')
    expect(day(text, 'never ran').words).toBe('paused')
    expect(day(text, 'is new').words).toBe('nothing was due')
  })

  test('of a reader are the same', async () => {
    await t.call('GET', `/ping/${(await add({ name: 'backup' })).id}`)
    const reader = await memberWith(t, 'read-only', { tz: 'Europe/Riga' })
    await reader.post('/p/tests/view', { picture: '24h' })
    await show('24h')
    const text = (await reader.get(PATH)).text
    expect(text).toContain('<table class="list read day"')
    expect(day(text, 'backup')).toEqual(day(await page(), 'backup'))
  })
})

test('whoever may read keeps the height of the rows for all of their lists', async () => {
  await add({ name: 'one' })
  const reader = await memberWith(t, 'read-only')
  const list = async () => /<table class="([^"]*)"/.exec((await reader.get(PATH)).text)?.[1]
  expect(await list()).toBe('list read')
  const { status, location } = await reader.post('/p/tests/view', { rows: 'roomy', match: '?q=one&sort=-last' })
  expect([status, location]).toEqual([303, `${PATH}?q=one&sort=-last`])
  expect(await list()).toBe('list read roomy')
  await reader.post('/p/tests/view', { rows: 'nonsense' })
  expect(await list()).toBe('list read roomy')
  expect(await page()).toContain('<table class="list"')
})

test('all is good only when each check has been pinged and is watched', async () => {
  const one = await add({ name: 'one' })
  expect(await page()).toContain('>1 not pinged yet.<')
  await t.call('GET', `/ping/${one.id}`)
  expect(await page()).toContain('>1 check, all good.<')
  const two = await add({ name: 'two' })
  expect(await page()).toContain('>1 as expected, 1 not pinged yet.<')
  await t.call('GET', `/ping/${two.id}`)
  expect(await page()).toContain('>2 checks, all good.<')
})

describe('the address', () => {
  beforeEach(addEachState)

  test.each([
    ['?status=down&status=late', ['is down', 'is late']],
    ['?tag=a&tag=b', ['is late', 'is paused']],
    ['?tag=b&status=new', ['is new']],
    ['?q=RUN', ['is running']],
    ['?q=%20late%20', ['is late']],
    ['?status=nonsense&sort=nonsense&tag=', ['is down', 'is late', 'is running', 'is up', 'is new', 'is paused']],
    ['?sort=-name', ['is down', 'is late', 'is up', 'is running', 'is new', 'is paused']],
    ['?sort=created', ['is down', 'is late', 'is running', 'is up', 'is new', 'is paused']],
    ['?sort=last', ['is down', 'is late', 'is up', 'is running', 'is new', 'is paused']],
  ])('%s shows %p', async (search, expected) => {
    expect(names(await page(search))).toEqual([...expected])
  })

  test('counts are of the whole project, and chips add or remove one filter', async () => {
    const text = await page('?q=is&tag=a&status=down')
    expect(text).toContain('Up <b id="n-up">1</b>')
    expect(text).toMatch(/<a class="chip" href="\/p\/tests\/checks\?q=is&amp;tag=a" aria-current="true">.*?Down/)
    expect(text).toContain('href="/p/tests/checks?q=is&amp;tag=a&amp;status=down&amp;status=late"')
    expect(text).toMatch(/href="\/p\/tests\/checks\?q=is&amp;status=down" aria-current="true"><bdi>a<\/bdi>/)
    expect(text).toContain('<a class="btn quiet" href="/p/tests/checks">Clear</a>')
    expect(text).toContain('<input type="hidden" name="tag" value="a">')
    expect(text).toContain('href="/p/tests/checks?q=is&amp;tag=a&amp;tag=b&amp;status=down"')
    expect(text).toContain(
      'aria-sort="ascending"><a href="/p/tests/checks?q=is&amp;tag=a&amp;status=down&amp;sort=-name">',
    )
  })

  test('when nothing matches, the page says what was looked for, and clears it', async () => {
    const text = await page('?q=etcd&tag=b&status=down&status=late')
    expect(text).toContain('No checks match ‘<bdi>etcd</bdi>’, the tag <bdi>b</bdi> and Late or Down.')
    expect(text).toContain('href="/p/tests/checks">Clear</a>')
    expect(text).toContain('Down <b id="n-down">1</b>')
  })

  test('what is typed comes back as text', async () => {
    const text = await page(`?q=${encodeURIComponent('"><script>')}&tag=${encodeURIComponent('<b>"')}`)
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(text).not.toMatch(/<script>|<b>"/)
  })

  test('a final slash leads to the page itself, because addresses in rows are relative to it', async () => {
    expect((await member.get(`${PATH}/?q=x`)).location).toBe('/p/tests/checks?q=x')
  })
})

test('a UUID is found by who may know it, and is not a way to guess it for a reader', async () => {
  const { id, publicId } = await add({ name: 'one' })
  await add({ name: 'two' })
  const reader = await memberWith(t, 'read-only')
  const found = async (browser: Browser, q: string) => names((await browser.get(`${PATH}?q=${q}`)).text)
  expect(await found(member, id.toUpperCase())).toEqual(['one'])
  expect(await found(member, publicId)).toEqual(['one'])
  expect(await found(member, id.slice(0, 8))).toEqual([])
  expect(await found(reader, id)).toEqual([])
})

test('names and tags are text, and controls that would reorder a line are enclosed', async () => {
  await add({ name: `<script>alert(1)</script>"'\u0007`, tags: `<b> a"onclick=x \u202egnp \u001b[31m` })
  await add({ name: '' })
  const text = await page()
  expect(text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;␇</bdi>')
  expect(text).toContain(' <a href="?tag=%3Cb%3E">&lt;b&gt;</a>')
  expect(text).toContain(' <a href="?tag=a%22onclick%3Dx">a&quot;onclick=x</a>')
  expect(text).toContain('<i title="␛[31m">+1</i>')
  expect(text).toContain('<i>no name</i>')
  expect(text).not.toMatch(/<script>|<b> |\sonclick=/)
})

describe('of more than 2,000 checks', () => {
  beforeEach(async () => {
    for (let index = 0; index <= 2_000; index++) await add({ name: `job ${index}` })
    await t.call('GET', `/ping/${(await add({ name: 'broken' })).id}/fail`)
  }, 60_000)

  test('the first 500 are shown, those that need somebody among them, and all on demand', async () => {
    const text = await page()
    expect(rows(text)).toHaveLength(500)
    expect(rows(text).slice(0, 3)).toEqual(['Down broken', 'New job 0', 'New job 1'])
    expect(text).toContain('Not pinged yet <b id="n-unpinged">2001</b>')
    expect(text).toContain('Only the first 500 of 2,002 checks are shown. <a href="/p/tests/checks?all=1">Show all</a>')
    const all = await member.get(`${PATH}?all=1`)
    expect(rows(all.text)).toHaveLength(2_002)
    expect(all.text).not.toContain('Show all')
    expect(all.text).toEndWith('</html>\n')
    expect(rows(await page('?all=1&q=job%201'))).toHaveLength(1_111)
    const packed = await member.ask('GET', `${PATH}?all=1`, { 'accept-encoding': 'br' })
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(rows(brotliDecompressSync(await packed.arrayBuffer()).toString())).toHaveLength(2_002)
  }, 60_000)
})

test('the page is packed as the browser takes it', async () => {
  await addEachState()
  const get = async (encoding: string) => member.ask('GET', PATH, { 'accept-encoding': encoding })
  const plain = await get('identity')
  const text = await plain.text()
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'accept-encoding'])
  expect(brotliDecompressSync(await (await get('gzip, br')).arrayBuffer()).toString()).toBe(text)
  expect(gunzipSync(await (await get('gzip')).arrayBuffer()).toString()).toBe(text)
})

describe('a read-only member', () => {
  test('gets no UUID, no ping URL and no key in any page', async () => {
    const check = await add({ name: 'Backup', slug: 'backup' })
    await t.call('GET', `/ping/${check.id}`)
    const reader = await memberWith(t, 'read-only')
    const secrets = [check.id, check.badgeKey, t.project.id, '/ping/', ...Object.values(t.keys)]
    const paths = [
      PATH,
      '/projects',
      '/projects/new',
      '/p/tests/first-ping',
      '/p/tests/live?view=first-ping',
      '/p/tests/settings',
      '/account',
      '/account/security',
      '/account/sessions',
    ]
    for (const path of paths) {
      const { text } = await reader.get(path)
      expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []])
    }
    expect((await reader.get(PATH)).text).toContain('<bdi>Backup</bdi>')
  })

  test('sees no boxes, no actions and no button for a new check', async () => {
    await add({ name: 'Backup' })
    const { text } = await (await memberWith(t, 'read-only')).get(PATH)
    expect(names(text)).toEqual(['Backup'])
    expect(text).not.toMatch(/type="?checkbox|id="bulk"|checks\/new/)
    expect(text.match(/<form [^>]*method="post"[^>]*>/g)).toEqual([
      '<form id="view" method="post" action="/p/tests/view" hidden>',
    ])
    expect(await page()).toMatch(/type=checkbox name=c[\s\S]*id="bulk"/)
  })
})

test('a member gets no UUID in the list either', async () => {
  const check = await add({ name: 'Backup' })
  const text = await page()
  expect([check.id, check.badgeKey, t.project.id].filter((secret) => text.includes(secret))).toEqual([])
})

test('who is no member can’t tell the project from one that does not exist', async () => {
  const outsider = await memberWith(t, 'owner')
  await t.app.deps.store
    .by({ changeId: 'x', kind: 'command', accountId: null, name: '', address: null, at: t.clock.now() })
    .team.removeMember(outsider.account.id, t.project.id)
  const [real, made] = [await outsider.get(PATH), await outsider.get('/p/nowhere/checks')]
  expect([real.status, made.status]).toEqual([404, 404])
  expect(real.text).toBe(made.text)
})
