import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { browserScript, htmxScript } from '../../../scripts/browser-script.ts'
import { assetPath, findAsset } from '../../../src/http/web/assets/assets.ts'
import type { AssetName } from '../../../src/http/web/href.ts'
import { chooseEncoding } from '../../../src/http/web/packing.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const NAMES: readonly AssetName[] = [
  'overdue.css',
  'reference.css',
  'status.css',
  'overdue.js',
  'status.js',
  'passkeys.js',
  'palette.js',
  'rhythm.js',
  'strips.js',
]

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function get(path: string, encoding?: string) {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
  const answer = await t.call('GET', path, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe.each([...NAMES])('%s', (name) => {
  test('is the same in each encoding, and may be kept for a year', async () => {
    const plain = await get(assetPath(name))
    expect(plain.status).toBe(200)
    expect(plain.headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/)
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const br = await get(assetPath(name), 'gzip, deflate, br, zstd')
    const gzip = await get(assetPath(name), 'gzip')
    expect([br.headers.get('content-encoding'), gzip.headers.get('content-encoding')]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    for (const { headers } of [plain, br, gzip]) expect(headers.get('vary')).toBe('accept-encoding')
  })

  test('has a name that changes with it', () => {
    expect(assetPath(name)).toMatch(/^\/assets\/\w+\.[0-9a-f]{10}\.(?:css|js)$/)
    expect(findAsset(name)).toBeNull()
  })
})

test('the files keep within their weight', async () => {
  const size = async (name: AssetName) => (await get(assetPath(name), 'gzip')).bytes.length
  expect(await size('overdue.css')).toBeLessThan(20_000)
  expect(await size('overdue.js')).toBeLessThan(10_300)
  expect((await size('status.css')) + (await size('status.js'))).toBeLessThan(3_000)
  expect(await size('passkeys.js')).toBeLessThan(1_200)
  expect((await size('rhythm.js')) + (await size('palette.js'))).toBeLessThan(5_000)
  expect(await size('strips.js')).toBeLessThan(1_500)
  expect(await size('wall.css')).toBeLessThan(2_000)
  expect(await size('wall.js')).toBeLessThan(5_000)
  expect((await size('overdue.js')) + (await size('htmx.js'))).toBeLessThan(25_900)
})

test('the style sheet loads nothing but the shapes of states, and declares its layers first', async () => {
  const text = (await get(assetPath('overdue.css'))).bytes.toString()
  expect(text).toStartWith('@layer base, layout, parts, pages;')
  expect(text.replaceAll(`url(${assetPath('states.svg').split('/').at(-1)})`, '')).not.toMatch(/url\(|@import|\/\*/)
})

test('whoever wants no motion sees none: one rule for every element of every page, which no other rule outdoes', async () => {
  const sheets = ['overdue.css', 'reference.css', 'status.css', 'wall.css'] as const
  const texts = await Promise.all(sheets.map(async (name) => (await get(assetPath(name))).bytes.toString()))
  const [all = ''] = texts
  const rule =
    '@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important;'
  // What is important in the first layer counts before all later ones.
  expect(all.slice(0, all.indexOf('@layer layout {'))).toContain(rule)
  const moving =
    /[{;] ?(?:animation|transition)[\w-]*:(?! none)[^;}]*!important|::backdrop ?{[^}]*(?:animation|transition)|view-transition/
  for (const text of texts) expect(moving.exec(text)?.[0]).toBeUndefined()
  expect(all).toMatch(/animation: \w+ [^;]*infinite/)
})

test('the scripts are those of browser/ and of htmx; if this fails, use `bun run browser-script`', async () => {
  expect((await get(assetPath('overdue.js'))).bytes.toString()).toBe(await browserScript('index.ts'))
  expect((await get(assetPath('status.js'))).bytes.toString()).toBe(await browserScript('status.ts'))
  expect((await get(assetPath('passkeys.js'))).bytes.toString()).toBe(await browserScript('passkeys.ts'))
  expect((await get(assetPath('palette.js'))).bytes.toString()).toBe(await browserScript('palette/index.ts'))
  expect((await get(assetPath('rhythm.js'))).bytes.toString()).toBe(await browserScript('rhythm.ts'))
  expect((await get(assetPath('strips.js'))).bytes.toString()).toBe(await browserScript('strips.ts'))
  expect((await get(assetPath('wall.js'))).bytes.toString()).toBe(await browserScript('wall/index.ts'))
  expect((await get(assetPath('htmx.js'))).bytes.toString()).toBe(await htmxScript())
})

test.each(['overdue.js', 'palette.js'] as const)(
  '%s is a script that browsers can read, with nothing that the policy of the pages forbids',
  async (name) => {
    const text = (await get(assetPath(name))).bytes.toString()
    expect(() => new Function(text)).not.toThrow()
    expect(text).not.toMatch(/\b(?:import|export|eval|require)\b|\.style\b|innerHTML/)
  },
)

test.each([...NAMES, 'htmx.js', 'states.svg'] as const)(
  '%s is also found by its name in another version, and then not kept',
  async (name) => {
    const current = await get(assetPath(name))
    const other = await get(`/assets/${name.replace('.', '.0123456789.')}`, 'br')
    expect(brotliDecompressSync(other.bytes).equals(current.bytes)).toBe(true)
    expect(other.headers.get('content-type')).toBe(current.headers.get('content-type'))
    expect(other.headers.get('cache-control')).toBe('no-store')
  },
)

test('a name that no file has in any version is not found and not kept', async () => {
  for (const path of [
    '/assets/other.0123456789.css',
    '/assets/overdue.0123456789.svg',
    '/assets/constructor.0123456789.js',
    '/assets/overdue.012345678.css',
    '/assets/overdue.css',
    '/assets/..%2findex.ts',
  ]) {
    const { status, headers } = await get(path)
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  }
})

test.each([
  [null, null],
  ['', null],
  ['identity', null],
  ['br', 'br'],
  ['gzip, br', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000,gzip;q=0', null],
  ['brx', null],
] as const)('a browser that accepts %p gets %p', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test('the icon is found under both names', async () => {
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const { status, headers, bytes } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(bytes.toString()).toStartWith('<svg ')
  }
})

test('search engines may read public status pages and nothing else', async () => {
  const { headers, bytes } = await get('/robots.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(bytes.toString()).toBe('User-agent: *\nAllow: /status/\nDisallow: /\n')
})
