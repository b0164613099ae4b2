/** Conclusions on receivers' answers, and when to retry. */
import { describe, expect, test } from 'bun:test'
import type { HttpAnswer } from '../../src/domain/carrier/http-exchange.ts'
import type { Channel } from '../../src/domain/channel/channel.ts'
import { registry } from '../../src/transports/index.ts'
import { channelHears, channelWants, judgeByStatus, retryAfter } from '../../src/transports/transport.ts'
import { aChannel, aFlip, at, NOON } from '../support/builders.ts'
import { withEnvironment } from '../support/with-environment.ts'

const answer = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answered',
  status,
  headers: new Headers(headers),
  body: '',
})

describe('an answer', () => {
  test.each([200, 201, 202, 204])('of %p means it is sent', (status) => {
    expect(judgeByStatus(answer(status, { 'retry-after': '60' }), NOON)).toEqual({ kind: 'sent' })
  })

  test.each([100, 203, 205, 206, 301, 400, 401, 404, 410, 429, 500, 503])('of %p means to try again', (status) => {
    const error = `Received status code ${status}`
    expect(judgeByStatus(answer(status), NOON)).toEqual({ kind: 'retry', error, retryAfterSeconds: null })
  })

  test('may say when to try again', () => {
    expect(judgeByStatus(answer(429, { 'retry-after': '90' }), NOON)).toMatchObject({
      kind: 'retry',
      retryAfterSeconds: 90,
    })
  })

  test('that never came means to try again, unless a retry cannot help', () => {
    const error = 'Connection timed out'
    expect(judgeByStatus({ kind: 'unreachable', error, permanent: false }, NOON)).toEqual({
      kind: 'retry',
      error,
      retryAfterSeconds: null,
    })
    expect(judgeByStatus({ kind: 'unreachable', error, permanent: true }, NOON)).toEqual({ kind: 'fail', error })
  })
})

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120],
    ['9999999999', 9_999_999_999],
    ['Wed, 04 Mar 2026 12:01:30 GMT', 90],
    ['Wednesday, 04-Mar-26 12:01:30 GMT', 90],
    ['Wed Mar  4 12:01:30 2026', 90],
    ['Wed, 04 Mar 2026 12:00:00 GMT', 0],
    ['Wed, 04 Mar 2026 11:00:00 GMT', 0],
  ])('%p is valid', (header, seconds) => {
    expect(retryAfter(header, NOON)).toBe(seconds)
  })

  test('as a date never gives too short a wait', () => {
    expect(retryAfter('Wed, 04 Mar 2026 12:01:30 GMT', at('12:00:00.001'))).toBe(90)
    expect(retryAfter('Wed, 04 Mar 2026 12:01:30 GMT', at('12:00:00.999999'))).toBe(90)
  })

  test('as a date without a zone is in GMT, wherever the server stands', () => {
    using _env = withEnvironment({ TZ: 'America/New_York' })
    expect(retryAfter('Wed Mar  4 12:01:30 2026', NOON)).toBe(90)
  })

  // A lenient date parser sees years and months in most of these.
  test.each([null, '', 'soon', '-5', '+5', '1.5', '1e3', 'soon 5', 'May 7', '2030-01-01', '12:30'])(
    '%p is not understood',
    (header) => {
      expect(retryAfter(header, NOON)).toBeNull()
    },
  )
})

describe('a channel', () => {
  const settings = { url_down: 'https://hooks.test', url_up: '' }

  test('wants what its transport says', () => {
    expect(channelWants(registry, aChannel({ settings }), aFlip({ newStatus: 'down' }))).toBe(true)
    expect(channelWants(registry, aChannel({ settings }), aFlip({ newStatus: 'up' }))).toBe(false)
  })

  test('of a kind without a transport wants every flip, so that it fails visibly', () => {
    expect(channelWants(registry, aChannel({ kind: 'pager' as 'pd', settings }), aFlip())).toBe(true)
  })

  test('hears of a flip what it wants, and of an acknowledgement if its kind knows that', () => {
    const news = ['down', 'up', 'acknowledged'] as const
    const heard = (channel: Partial<Channel>) => news.filter((one) => channelHears(registry, aChannel(channel), one))
    expect(heard({ settings })).toEqual(['down'])
    expect(heard({ kind: 'pd', settings: 'key' })).toEqual(['down', 'up', 'acknowledged'])
    expect(heard({ kind: 'po', settings: 'user|0' })).toEqual(['down', 'up'])
    expect(heard({ kind: 'po', settings: null })).toEqual(['down', 'up'])
    expect(heard({ kind: 'pager' as 'pd' })).toEqual(['down', 'up'])
  })
})
