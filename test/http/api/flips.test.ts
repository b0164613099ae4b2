import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

const NOON = Date.parse('2026-03-04T12:00:00Z') / 1000

let t: TestApp
let id: string
beforeAll(async () => {
  t = await testApp()
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid
  // Up, down, up, down at 12:00:00, :10, :20 and :30; asked at 12:00:40.
  for (const tail of ['', '/fail', '', '/fail']) {
    await t.call('GET', `/ping/${id}${tail}`)
    t.clock.advance({ seconds: 10 })
  }
})
afterAll(() => t.close())

/** Returns the seconds after noon of the flips, newest first. */
async function flips(query: string): Promise<number[]> {
  const path = `/api/v3/checks/${id}/flips/${query}`
  const list = await t.json<{ timestamp: string }[]>('GET', path, { key: t.keys.apiKeyReadonly })
  return list.map(({ timestamp }) => Date.parse(timestamp) / 1000 - NOON)
}

async function error(query: string): Promise<unknown> {
  const response = await t.call('GET', `/api/v3/checks/${id}/flips/${query}`, { key: t.keys.apiKey })
  return response.status === 400 ? ((await response.json()) as { error: string }).error : response.status
}

describe('the form', () => {
  const keysOf = async (version: number, app = t, check = id) => {
    const answer = await app.json<object>('GET', `/api/v${version}/checks/${check}/flips/`, { key: app.keys.apiKey })
    return Array.isArray(answer) ? 'array' : Object.keys(answer)
  }

  test('is an object in v3 too with API_V3_FLIPS=object, for GET and POST', async () => {
    const own = await testApp({ env: { API_V3_FLIPS: 'object' } })
    const key = own.keys.apiKey
    const { uuid } = await own.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: {} })
    await own.call('GET', `/ping/${uuid}`)
    const keys = [await keysOf(1, own, uuid), await keysOf(2, own, uuid), await keysOf(3, own, uuid)]
    expect(keys).toEqual([['flips'], ['flips'], ['flips']])
    const flips = [{ timestamp: '2026-03-04T12:00:00+00:00', up: 1 }]
    for (const method of ['GET', 'POST']) {
      expect(await own.json<unknown>(method, `/api/v3/checks/${uuid}/flips`, { key })).toEqual({ flips })
    }
    await own.close()
  })
})

describe('the filters', () => {
  test('start is included, end is not', async () => {
    expect(await flips(`?start=${NOON + 10}`)).toEqual([30, 20, 10])
    expect(await flips(`?end=${NOON + 20}`)).toEqual([10, 0])
    expect(await flips(`?start=${NOON + 10}&end=${NOON + 20}`)).toEqual([10])
    expect(await flips(`?start=${NOON + 10}&end=${NOON + 10}`)).toEqual([])
  })

  test('seconds counts back from now, edge included; 0 and an empty value are ignored', async () => {
    expect(await flips('?seconds=20')).toEqual([30, 20])
    expect(await flips('?seconds=19')).toEqual([30])
    expect(await flips('?seconds=0')).toEqual([30, 20, 10, 0])
    expect(await flips('?seconds=')).toEqual([30, 20, 10, 0])
  })

  test('a flip must match all, whichever of seconds and start is later', async () => {
    expect(await flips(`?seconds=35&start=${NOON + 20}`)).toEqual([30, 20])
    expect(await flips(`?seconds=15&start=${NOON}`)).toEqual([30])
    expect(await flips(`?seconds=35&end=${NOON + 30}`)).toEqual([20, 10])
  })

  test('the last value of a name counts, and unknown names are ignored', async () => {
    expect(await flips(`?start=x&start=${NOON + 30}&stop=x`)).toEqual([30])
    expect(await error(`?start=${NOON}&start=x`)).toBe('query validation error: start is not a number')
  })

  test.each([['+20'], ['%2B20'], ['%2020'], ['020'], ['2_0'], ['20.0'], ['20.000']])(
    'numbers may be written as %s',
    async (text) => {
      expect(await flips(`?seconds=${text}`)).toEqual([30, 20])
    },
  )

  test('the limits are allowed', async () => {
    expect(await flips('?seconds=31536000&start=0&end=10000000000')).toEqual([30, 20, 10, 0])
    expect(await flips('?start=10000000000')).toEqual([])
    expect(await flips('?end=0')).toEqual([])
    expect(await flips('?start=-0')).toEqual([30, 20, 10, 0])
  })
})

describe('what is refused', () => {
  const NOT_A_NUMBER = [
    'x',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1_',
    '_1',
    '1__0',
    '1 2',
    '٣',
    '%ff',
    '%00',
    '--1',
    '1.',
  ]
  test.each(NOT_A_NUMBER)('is %s: not a number, under each name', async (text) => {
    for (const name of ['seconds', 'start', 'end']) {
      expect(await error(`?${name}=${text}`)).toBe(`query validation error: ${name} is not a number`)
    }
  })

  test('is an empty start or end', async () => {
    expect(await error('?start=')).toBe('query validation error: start is not a number')
    expect(await error('?end')).toBe('query validation error: end is not a number')
  })

  test('is what is too small or too large', async () => {
    expect(await error('?seconds=-1')).toBe('query validation error: seconds is too small')
    expect(await error('?seconds=31536001')).toBe('query validation error: seconds is too large')
    expect(await error('?start=-1')).toBe('query validation error: start is too small')
    expect(await error('?end=10000000001')).toBe('query validation error: end is too large')
    expect(await error(`?end=${'9'.repeat(400)}`)).toBe('query validation error: end is too large')
  })

  test('is reported one at a time: seconds, then start, then end', async () => {
    expect(await error('?end=x&start=x&seconds=x')).toBe('query validation error: seconds is not a number')
    expect(await error('?end=x&start=-1')).toBe('query validation error: start is too small')
  })
})
