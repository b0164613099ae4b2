/** The icon, and the rules for programs that read the whole web. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('robots may read status pages only', async () => {
  const answer = await t.call('GET', '/robots.txt')
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toBe('User-agent: *\nAllow: /status/\nDisallow: /\n')
})

test.each(['/favicon.svg', '/favicon-down.svg', '/favicon.ico'])('%s is an icon', async (path) => {
  const answer = await t.call('GET', path)
  expect(answer.headers.get('content-type')).toBe('image/svg+xml')
  expect(await answer.text()).toStartWith('<svg ')
})

test('the icon is red only when something is down', async () => {
  const icon = async (path: string) => (await t.call('GET', path)).text()
  const red = '#e0463d'
  expect(await icon('/favicon-down.svg')).toContain(red)
  expect(await icon('/favicon.svg')).not.toContain(red)
  expect(await icon('/favicon.ico')).toBe(await icon('/favicon.svg'))
})

test.each(['overdue.css', 'other.0000000000.css', '..%2f..%2fpackage.json', '__proto__'])(
  'there is no file %s, and nobody keeps that',
  async (name) => {
    const { status, headers } = await t.call('GET', `/assets/${name}`)
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  },
)
