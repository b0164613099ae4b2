import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { LINK_PURPOSES, LINK_SECONDS } from '../../../src/domain/account/one-time-link.ts'
import { isToken, tokenLookup } from '../../../src/domain/account/session.ts'
import { getLink, issueLink, useLink } from '../../../src/services/accounts/one-time-links.ts'
import { createRetention } from '../../../src/services/retention.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { accountOf, codeOf, tokenIn } from './people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://overdue.test/on' } })
})
afterEach(() => t.close())

const deps = () => t.app.deps

describe('a one-time link', () => {
  test.each([
    ['first-account', 'https://overdue.test/on/setup/', 1],
    ['password', 'https://overdue.test/on/password/', 24],
    ['sign-in', 'https://overdue.test/on/sign-in/link/', 1],
  ] as const)('for %s begins with %s, and works for %i hours, once', async (purpose, start, hours) => {
    const accountId = purpose === 'first-account' ? null : (await accountOf(t, { password: null })).id
    const { url, expiresAt } = await issueLink(deps(), purpose, accountId)
    const token = tokenIn(url)
    expect(url).toBe(start + token)
    expect(isToken(token)).toBe(true)
    expect(expiresAt).toEqual(t.clock.now().add({ hours }))
    t.clock.advance({ seconds: hours * 3600 - 1 })
    const link = { lookup: tokenLookup(token), purpose, accountId, expiresAt, email: null }
    expect(await getLink(deps(), purpose, token)).toEqual(link)
    expect(await useLink(deps(), purpose, token)).toEqual(link)
    expect(await codeOf(getLink(deps(), purpose, token))).toBe('link-ended')
    expect(await codeOf(useLink(deps(), purpose, token))).toBe('link-ended')
  })

  test.each(LINK_PURPOSES)('for %s ends with its time, and is removed then', async (purpose) => {
    const accountId = purpose === 'first-account' ? null : (await accountOf(t, { password: null })).id
    const token = tokenIn((await issueLink(deps(), purpose, accountId)).url)
    t.clock.advance({ seconds: LINK_SECONDS[purpose] })
    expect(await codeOf(useLink(deps(), purpose, token))).toBe('link-ended')
    t.clock.advance({ seconds: 1 })
    await createRetention(deps())()
    expect(await deps().store.tokens.find(tokenLookup(token), purpose)).toBeNull()
  })

  test('is none for another purpose, and stays for its own', async () => {
    const { id } = await accountOf(t, { password: null })
    const token = tokenIn((await issueLink(deps(), 'sign-in', id)).url)
    for (const purpose of ['password', 'first-account'] as const) {
      expect(await codeOf(useLink(deps(), purpose, token))).toBe('link-ended')
    }
    expect((await useLink(deps(), 'sign-in', token)).accountId).toBe(id)
  })

  test.each(['', 'A'.repeat(43), '../../etc', '\u0000'])('is none at %j', async (token) => {
    expect(await codeOf(getLink(deps(), 'password', token))).toBe('link-ended')
  })

  test('works once when two use it at the same time', async () => {
    const { id } = await accountOf(t, { password: null })
    const token = tokenIn((await issueLink(deps(), 'sign-in', id)).url)
    const used = await Promise.allSettled([1, 2, 3].map(() => useLink(deps(), 'sign-in', token)))
    expect(used.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })
})
