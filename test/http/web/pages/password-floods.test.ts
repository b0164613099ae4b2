/** A person who makes the server hash passwords again and again keeps nobody else from signing in. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { addAccount, type Browser, openBrowser } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PASSWORD = 'tide-lamp-orchard'
const CHANGE = '/account/security/password'
const CHANGED = '/account/security?done=password-changed'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
  await addAccount(t, { email: 'ann@example.org' }, PASSWORD)
  await addAccount(t, { email: 'mallory@example.org' }, PASSWORD)
})
afterEach(() => t.close())

const times = <Result>(count: number, make: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))
const signIn = async (name: string, password = PASSWORD) => {
  const browser = openBrowser(t)
  const { status } = await browser.post('/sign-in', { email: `${name}@example.org`, password })
  return { ...browser, status }
}
const change = (browser: Browser) => (n: number) => browser.post(CHANGE, { password: `${PASSWORD}-${n}` })

describe('one account that changes its password again and again', () => {
  test('keeps nobody from signing in', async () => {
    const flood = await signIn('mallory')
    const { promise: isOver, resolve: end } = Promise.withResolvers<string>()
    using hash = spyOn(Bun.password, 'hash').mockReturnValue(isOver)
    const nineteen = Promise.withResolvers<void>()
    let answered = 0
    const changes = times(40, async (n) => {
      const { status } = await change(flood)(n)
      answered += 1
      if (answered === 19) nineteen.resolve()
      return status
    })
    await nineteen.promise
    const signingIn = signIn('ann')
    end('a hash')
    expect((await signingIn).status).toBe(303)
    hash.mockRestore()
    const statuses = await changes
    expect([303, 503, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([2, 8, 30])
  })

  test('is told to wait after ten times in an hour', async () => {
    const flood = await signIn('mallory')
    for (let n = 0; n < 10; n += 1) expect((await change(flood)(n)).location).toBe(CHANGED)
    const refused = await change(flood)(10)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    expect(refused.text).toContain('Too many attempts. Wait 1 h, then try again.')
    t.clock.advance({ hours: 1 })
    expect((await change(await signIn('mallory', `${PASSWORD}-9`))(10)).location).toBe(CHANGED)
  })

  test('is not counted for a password that is refused before it is hashed', async () => {
    const flood = await signIn('mallory')
    for (let n = 0; n < 11; n += 1) expect((await flood.post(CHANGE, { password: 'short' })).status).toBe(422)
    expect((await change(flood)(0)).location).toBe(CHANGED)
  })
})

test('a few accounts that change their passwords at once keep nobody from signing in, nor from changing theirs', async () => {
  await times(8, (n) => addAccount(t, { email: `m${n}@example.org` }, PASSWORD))
  const floods = await times(8, (n) => signIn(`m${n}`))
  const own = await signIn('ann')
  const [, { status }, mine] = await Promise.all([
    Promise.all(floods.map((flood) => times(5, change(flood)))),
    signIn('ann'),
    own.post(CHANGE, { password: 'another-tide-lamp' }),
  ])
  expect([status, mine.location]).toEqual([303, CHANGED])
})

test('an account that confirms its password again and again keeps nobody from signing in', async () => {
  const flood = await signIn('mallory')
  const confirm = () => flood.post('/confirm', { next: CHANGE, means: 'password', password: PASSWORD })
  const [, { status }] = await Promise.all([times(40, confirm), signIn('ann')])
  expect(status).toBe(303)
})

test('a form that was sent twice by mistake changes the password', async () => {
  const own = await signIn('ann')
  expect((await times(2, change(own))).map(({ location }) => location)).toEqual(Array(2).fill(CHANGED))
})
