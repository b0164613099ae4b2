import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { checkBadgeUrl, signBadge } from '../../../src/domain/badge-urls.ts'
import { listBadges } from '../../../src/services/badges/badges.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { readSvg } from '../../conformance/svg.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const SECRET = 'a secret of some length'
const SITE_ROOT = 'https://example.org/tools/watch'

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { SITE_ROOT, SECRET_KEY: SECRET, SITE_NAME: 'Night Watch' } })
})
afterEach(() => t.close())

async function makeCheck(spec: Parameters<typeof upsertCheck>[2]) {
  const { check } = await upsertCheck(t.app.deps, t.actor, spec, false)
  const url = (states: number, format: string) => `/b/${states}/${check.badgeKey}.${format}`
  return { id: check.id, badgeKey: check.badgeKey, url }
}

const signed = (tag: string, tail: string) =>
  `/badge/${t.project.badgeKey}/${signBadge(t.project.badgeKey, tag, SECRET)}${tail}`
const ping = (id: string, action = '') => t.call('POST', `/ping/${id}${action}`, { body: 'x' })

const FRAME = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'X-Api-Key',
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-max-age': '600',
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  'x-content-type-options': 'nosniff',
}
const POLICY = { 'content-security-policy': "default-src 'none'" }
const headersOf = (response: Response) => Object.fromEntries(response.headers)

describe('every URL that the API lists', () => {
  test.each(['prod', 'a/b', '100%', 'ünï', 'c.d', '%41', "it's", '<b>', 'q?r', 'h#i', '*'])(
    'for the tag %p works, with and without the path of SITE_ROOT',
    async (tag) => {
      await makeCheck({ tags: tag })
      const pages = await Array.fromAsync(listBadges(t.app.deps, t.actor))
      const urls = new Map(pages.flat()).get(tag)
      for (const [name, url] of Object.entries(urls ?? {})) {
        const { pathname } = new URL(url)
        for (const path of [pathname, pathname.replace('/tools/watch', '')]) {
          const response = await t.call('GET', path)
          expect([name, response.status]).toEqual([name, 200])
          const body = await response.text()
          if (name.startsWith('json')) expect(JSON.parse(body)).toEqual({ status: 'up', total: 1, grace: 0, down: 0 })
          else if (name.startsWith('shields')) expect(JSON.parse(body).label).toBe(tag === '*' ? 'Night Watch' : tag)
          else expect(readSvg(body)).toContain(tag === '*' ? 'Night Watch' : tag)
        }
      }
      expect(Object.keys(urls ?? {})).toHaveLength(6)
    },
  )

  test('for a check works', async () => {
    const { badgeKey } = await makeCheck({ name: 'n' })
    const { pathname } = new URL(checkBadgeUrl(SITE_ROOT, badgeKey))
    expect(readSvg(await (await t.call('GET', pathname)).text())).toEqual(['n: up', 'n', 'n', 'up', 'up'])
  })
})

test('a late check is up with two states and late with three, and down with both after its deadline', async () => {
  const { id, url } = await makeCheck({ name: 'n', tags: 't', timeout: 3600, grace: 600 })
  await ping(id)
  const both = async () => {
    const ask = (path: string) => t.json('GET', path).then(({ status, grace, down }) => [status, grace, down].join(' '))
    return [
      ...(await Promise.all([url(2, 'json'), url(3, 'json')].map(ask))),
      ...(await Promise.all([signed('t', '-2/t.json'), signed('t', '/t.json')].map(ask))),
    ]
  }
  expect(await both()).toEqual(['up 0 0', 'up 0 0', 'up 0 0', 'up 0 0'])
  t.clock.advance({ minutes: 61 })
  expect(await both()).toEqual(['up 1 0', 'late 1 0', 'up 1 0', 'late 1 0'])
  t.clock.advance({ minutes: 10 })
  expect(await both()).toEqual(['down 0 1', 'down 0 1', 'down 0 1', 'down 0 1'])
})

describe('the headers', () => {
  test.each([
    ['svg', 'image/svg+xml'],
    ['json', 'application/json'],
    ['shields', 'application/json'],
  ])('of %s let every page use it, forbid caching, and let nothing in it run', async (format, type) => {
    await makeCheck({ tags: 't' })
    const response = await t.call('GET', signed('t', `/t.${format}`))
    expect(headersOf(response)).toEqual({ ...FRAME, ...POLICY, 'content-type': type })
  })

  test('set no cookie, and a key in the request changes nothing', async () => {
    const { url } = await makeCheck({})
    const response = await t.call('GET', url(2, 'svg'), { key: 'wrong' })
    expect([response.status, response.headers.has('set-cookie')]).toEqual([200, false])
  })

  test.each([
    ['a wrong signature', () => `/badge/${t.project.badgeKey}/AAAAAAAA/t.svg`],
    ['a wrong signature of all checks', () => `/badge/${t.project.badgeKey}/AAAAAAAA.json`],
    ['the signature of a tag for all checks', () => signed('t', '.svg')],
    ['an unknown format', () => signed('t', '/t.png')],
    ['a format that objects have as a member', () => signed('t', '/t.__proto__')],
    ['an unknown format of all checks', () => signed('*', '.SVG')],
    ['an unknown check', () => `/b/2/${crypto.randomUUID()}.svg`],
  ])('of an answer to %s are the same, and the body is empty', async (_, path) => {
    await makeCheck({ tags: 't x' })
    const response = await t.call('GET', path())
    expect([response.status, await response.text()]).toEqual([404, ''])
    expect(headersOf(response)).toEqual(FRAME)
  })

  test('of a path that is not a badge URL do not mention badges', async () => {
    for (const path of ['/badge/x', '/badge/', '/b/2/', '/b/x/y.svg', '/badge/a/b/c/d.svg', '/b/2/x.svg/']) {
      const response = await t.call('GET', path)
      expect([path, response.status, await response.text()]).toEqual([path, 404, 'not found'])
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    }
  })
})

describe('the method', () => {
  test('OPTIONS is answered for preflights, with any signature', async () => {
    const response = await t.call('OPTIONS', '/badge/k/AAAAAAAA/t.svg')
    expect([response.status, await response.text(), headersOf(response)]).toEqual([204, '', FRAME] as never)
  })

  test.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused, and the answer names GET', async (method) => {
    const { url } = await makeCheck({})
    for (const path of [url(2, 'svg'), signed('*', '.svg')]) {
      const response = await t.call(method, path)
      expect(response.status).toBe(405)
      expect(headersOf(response)).toMatchObject({ ...FRAME, allow: 'GET' })
    }
  })
})

test('a percent sign that encodes nothing is harmless', async () => {
  await makeCheck({ tags: '100% %ff' })
  for (const tag of ['100%', '%ff']) {
    const answer = await t.json('GET', signed(tag, `/${tag}.json`))
    expect(answer).toMatchObject({ total: 1 })
    expect((await t.call('GET', signed('other', `/${tag}.json`))).status).toBe(404)
  }
})

test('a hostile name of a check stays text in its badge', async () => {
  const name = '</text><script>alert(1)</script>'
  const { url } = await makeCheck({ name })
  const body = await (await t.call('GET', url(3, 'svg'))).text()
  expect(body).not.toContain('<script>')
  expect(readSvg(body)).toContain(name)
})
