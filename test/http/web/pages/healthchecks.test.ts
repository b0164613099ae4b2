/** Addresses of Healthchecks' pages lead to ours. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../../src/domain/actor.ts'
import type { Check } from '../../../../src/domain/check/check.ts'
import { checkPageUrl } from '../../../../src/domain/check/representation.ts'
import { uniqueKey } from '../../../../src/domain/check/unique-key.ts'
import { upsertCheck } from '../../../../src/services/checks/checks.ts'
import { addAccount, administrator, memberWith, openBrowser, signedIn } from '../../../support/browser.ts'
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

describe('the address of', () => {
  let check: Check
  let page: string
  beforeAll(async () => {
    const made = await upsertCheck(t.app.deps, operatorIn(t.project), { name: 'Backup' }, false)
    check = made.check
    page = `/watch/p/${t.project.slug}/checks/${check.publicId}`
  })

  const addresses = (): readonly (readonly [address: string, page: string])[] => [
    [`/projects/${t.project.id}/checks`, `/watch/p/${t.project.slug}/checks`],
    [`/checks/${check.id}/details`, page],
    [`/checks/${check.id}/log`, `${page}/log`],
    [`/cloaked/${uniqueKey(check.id)}`, page],
  ]

  test('a page in Healthchecks leads whoever may see it to the page here', async () => {
    for (const browser of [await memberWith(t, 'read-only'), await administrator(t)]) {
      for (const [address, to] of addresses()) {
        for (const path of [address, `${address}/`, `/watch${address}/`]) {
          expect([path, (await browser.get(path)).location]).toEqual([path, to])
        }
      }
    }
  })

  test('a page that one may not see is as unknown as one that does not exist', async () => {
    const outsider = await signedIn(t, await addAccount(t))
    const member = await memberWith(t, 'member')
    for (const [address] of addresses()) expect((await outsider.get(`${address}/`)).status).toBe(404)
    const unknown = crypto.randomUUID()
    for (const address of [
      `/projects/${unknown}/checks/`,
      `/projects/${t.project.slug}/checks/`,
      `/checks/${unknown}/details/`,
      `/checks/${check.publicId}/log/`,
      `/cloaked/${uniqueKey(unknown)}/`,
      `/cloaked/${check.id}/`,
      '/cloaked/%FF/',
    ]) {
      expect([address, (await member.get(address)).status]).toEqual([address, 404])
    }
  })

  test('any of them leads a stranger to the sign-in, and from there back', async () => {
    for (const [address] of addresses()) {
      const { location } = await openBrowser(t).get(`${address}/`)
      expect(location).toBe(`/watch/sign-in?${new URLSearchParams({ next: `${address}/` })}`)
    }
  })

  test('a check in alerts, emails and reports is one of these', async () => {
    const url = checkPageUrl(check.id, t.app.deps.site.links)
    expect(url).toBe(`https://example.org/watch/cloaked/${uniqueKey(check.id)}/`)
  })
})
