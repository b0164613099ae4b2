/** Stored facts of each attempt, for people. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

const newest = async () => {
  const [entry] = await t.app.deps.store.deliveries.list(t.project.id, null, 1)
  return { error: entry?.error, attempts: await t.app.deps.store.deliveries.listAttempts(entry?.delivery.id ?? '') }
}

describe('an attempt', () => {
  test('is kept with when it began, and what the receiver answered', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith(answered(503, { 'retry-after': '60' }, 'upstream is away'))
    await d.deliver()
    const beganAt = t.clock.now()
    expect((await newest()).attempts).toEqual([
      {
        n: 1,
        beganAt,
        duration: expect.any(Number),
        error: 'Received status code 503',
        answer: expect.objectContaining({ status: '503 Service Unavailable', body: 'upstream is away' }),
      },
    ])
  })

  test('has no secret of the channel, even if the receiver quotes it', async () => {
    const secret = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0'
    await d.addChannel({ settings: { url: 'https://example.org/hook', secret } })
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith(answered(401, {}, `${secret} and ${encodeURIComponent(secret)} are wrong`))
    await d.deliver()
    const { attempts } = await newest()
    expect(attempts[0]?.answer?.body).toBe('•••• and •••• are wrong')
    expect(JSON.stringify(attempts)).not.toContain('c2VjcmV0')
  })

  test('is kept too if nothing was sent', async () => {
    await d.addChannel({ kind: 'group', settings: '' })
    await d.addChannel({ awaitsConfirmation: true })
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect((await newest()).attempts).toMatchObject([{ n: 1, answer: null, error: expect.stringContaining('confirm') }])
  })
})
