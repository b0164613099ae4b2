import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

type Check = Readonly<Record<string, unknown>>

let t: TestApp
let key: string
beforeEach(async () => {
  t = await testApp()
  key = t.keys.apiKey
})
afterEach(() => t.close())

const create = (json: unknown = {}) => t.json<Check>('POST', '/api/v3/checks/', { key, json })
const update = (id: unknown, json: unknown) => t.json<Check>('POST', `/api/v3/checks/${id}`, { key, json })
const names = async (query = '', by = key) =>
  (await t.json<{ checks: Check[] }>('GET', `/api/v3/checks/${query}`, { key: by })).checks.map(({ name }) => name)

describe('the list', () => {
  test('is in order of creation, also within one instant, and changes do not move a check', async () => {
    const ids: unknown[] = []
    const given = Array.from({ length: 30 }, (_, i) => `check ${i}`)
    for (const name of given) ids.push((await create({ name })).uuid)
    expect(await names()).toEqual(given)
    await update(ids[3], { desc: 'changed' })
    await t.call('GET', `/ping/${ids[7]}`)
    expect(await names()).toEqual(given)
    expect(await names('', t.keys.apiKeyReadonly)).toEqual(given)
  })

  test('is filtered by the last slug; an empty one is ignored', async () => {
    await create({ name: 'a', slug: 'one' })
    await create({ name: 'b', slug: 'one' })
    await create({ name: 'c', slug: 'two' })
    expect(await names('?slug=one')).toEqual(['a', 'b'])
    expect(await names('?slug=one&slug=two')).toEqual(['c'])
    expect(await names('?slug=')).toEqual(['a', 'b', 'c'])
    expect(await names('?slug=on')).toEqual([])
    expect(await names('?slug=ONE')).toEqual([])
    expect(await names('?slug=one%00')).toEqual([])
  })

  test('is filtered by all tags, as whole words in the same case', async () => {
    await create({ name: 'a', tags: 'prod  db\tnightly' })
    await create({ name: 'b', tags: 'prod' })
    await create({ name: 'c', tags: 'Prod products' })
    expect(await names('?tag=prod')).toEqual(['a', 'b'])
    expect(await names('?tag=prod&tag=db')).toEqual(['a'])
    expect(await names('?tag=nightly&tag=nightly')).toEqual(['a'])
    expect(await names('?tag=pro')).toEqual([])
    for (const tag of ['', 'prod%20db', 'prod+db', '%25', '_', "'"]) expect(await names(`?tag=${tag}`)).toEqual([])
    expect(await names('?tag=prod&slug=x')).toEqual([])
    expect(await names('?name=b&unknown=1')).toEqual(['a', 'b', 'c'])
  })
})

describe('the kind', () => {
  test('follows the fields that are sent; the values of the other kind are hidden but kept', async () => {
    const { uuid } = await create({ timeout: 120, grace: 300 })
    const cron = await update(uuid, { schedule: '5 4 * * *', tz: 'Europe/Riga', timeout: 999 })
    expect(cron).toMatchObject({ schedule: '5 4 * * *', tz: 'Europe/Riga', grace: 300 })
    expect(cron).not.toHaveProperty('timeout')
    expect(await update(uuid, { name: 'x' })).toMatchObject({ schedule: '5 4 * * *' })

    // Healthchecks' clients find it by the period that it still has.
    const found = await create({ unique: ['timeout'], timeout: 120 })
    expect(found).toMatchObject({ uuid, timeout: 120, name: 'x' } as never)
    expect(found).not.toHaveProperty('schedule')
    expect(found).not.toHaveProperty('tz')

    const again = await update(uuid, { schedule: 'daily' })
    expect(again).toMatchObject({ schedule: 'daily', tz: 'Europe/Riga' })
  })

  test.each([1, 2, 3])('takes a word of cron in v%i, and reads it back in five fields', async (version) => {
    const json = { schedule: '@weekly', tz: 'Europe/Riga' }
    const given = await t.json<Check>('POST', `/api/v${version}/checks/`, { key, json })
    expect(given).toMatchObject({ schedule: '0 0 * * 0', tz: 'Europe/Riga' })
  })

  test('is told what to write when the schedule is that of another program, and else has the words of Healthchecks', async () => {
    const sentence = 'json validation error: schedule is not a valid cron or OnCalendar expression'
    const refused = async (schedule: string) =>
      (await t.call('POST', '/api/v3/checks/', { key, json: { schedule } })).json() as Promise<unknown>
    expect(await refused('*/5 * * * * ?')).toEqual({
      error: `${sentence}: A cron expression has five fields and no seconds: leave them out and write "* * * * *".`,
    })
    expect(await refused('60 * * * *')).toEqual({ error: sentence })
  })

  test('does not switch by a time zone, which is kept for later', async () => {
    const { uuid } = await create({ tz: 'Asia/Tokyo' })
    expect(await update(uuid, {})).toHaveProperty('timeout', 86_400)
    expect(await update(uuid, { schedule: '* * * * *' })).toHaveProperty('tz', 'Asia/Tokyo')
  })
})

describe('unique', () => {
  test('in many requests at once creates one check', async () => {
    const json = { name: 'Job', unique: ['name'] }
    const calls = Array.from({ length: 20 }, () => t.call('POST', '/api/v3/checks/', { key, json }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(await names()).toEqual(['Job'])
  })
})

test('an answer can be posted back, and makes the same check again', async () => {
  const original = await create({
    name: 'Ünï 😀',
    slug: 'uni',
    tags: ' a  b ',
    desc: 'line\nline',
    grace: 61,
    schedule: '*/5 * * * *',
    tz: 'Europe/Riga',
    manual_resume: true,
    methods: 'POST',
    start_kw: 's',
    success_kw: 'ok, done',
    failure_kw: 'no',
    filter_subject: true,
    filter_http_body: true,
    filter_default_fail: true,
  })
  const copy = await create(original)
  const own = ['uuid', 'ping_url', 'update_url', 'pause_url', 'resume_url', 'badge_url']
  const shared = (check: Check) => Object.fromEntries(Object.entries(check).filter(([name]) => !own.includes(name)))
  expect(shared(copy)).toEqual(shared(original))
  expect(copy.uuid).not.toBe(original.uuid)
  expect(copy.badge_url).not.toBe(original.badge_url)
})

test('lengths are counted in code points, not in UTF-16 units', async () => {
  const smiles = (count: number) => '😀'.repeat(count)
  expect((await create({ name: smiles(100) })).name).toBe(smiles(100))
  expect(await create({ name: smiles(101) })).toEqual({ error: 'json validation error: name is too long' })
})

test.each(['name', 'tags', 'desc', 'start_kw', 'success_kw', 'failure_kw', 'subject', 'subject_fail', 'channels'])(
  'a NUL character in %s is refused, and changes nothing',
  async (field) => {
    const refused = { error: `json validation error: ${field} contains a NUL character` }
    expect(await create({ name: 'new', [field]: 'a\u0000b' })).toEqual(refused)
    const { uuid } = await create({ name: 'old' })
    expect(await update(uuid, { name: 'other', [field]: '\u0000' })).toEqual(refused)
    expect(await names()).toEqual(['old'])
  },
)

test('other control characters are stored as they are', async () => {
  const name = '\u0001\t\r\n\u007f\ufffe'
  const { uuid } = await create({ name })
  expect(await t.json<Check>('GET', `/api/v3/checks/${uuid}`, { key })).toMatchObject({ name })
})
