/** Addresses of Healthchecks' pages lead to ours. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://example.org/watch' } })
})
afterAll(() => t.close())

const lead = async (path: string) => {
  const { status, headers } = await t.call('GET', path)
  return [status, headers.get('location')]
}

test.each(['/accounts/login', '/accounts/login/', '/watch/accounts/login/'])(
  '%s leads to the sign-in',
  async (path) => {
    expect(await lead(path)).toEqual([303, '/watch/sign-in'])
    expect(await lead(`${path}?next=/p/tests/checks%3Fa=b%2526c`)).toEqual([
      303,
      '/watch/sign-in?next=%2Fp%2Ftests%2Fchecks%3Fa%3Db%2526c',
    ])
  },
)

test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('and never to %s', async (next) => {
  expect(await lead(`/accounts/login/?${new URLSearchParams({ next })}`)).toEqual([303, '/watch/sign-in'])
})
