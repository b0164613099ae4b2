import { describe, expect, test } from 'bun:test'
import { cookiePlace, endedSessionCookie, readSessionCookie, sessionCookie } from '../../../src/http/web/cookie.ts'

const read = (cookie: string) => readSessionCookie(new Headers({ cookie }))

describe('the session in a request', () => {
  test('is found among other cookies', () => {
    expect(read('a=b; overdue_session=token; c=d')).toBe('token')
    expect(read('overdue_session=token')).toBe('token')
    expect(read('overdue_session=')).toBe('')
  })

  test('is none without its cookie, or with one of a similar name', () => {
    expect(readSessionCookie(new Headers())).toBeNull()
    expect(read('xoverdue_session=token; overdue_session2=token; OVERDUE_SESSION=token')).toBeNull()
  })

  test('is the first of several, which has the longest path', () => {
    expect(read('overdue_session=near; overdue_session=far')).toBe('near')
  })
})

test('the cookie is out of reach for scripts and other sites, and lasts as long as a session can', () => {
  expect(sessionCookie('token', { path: '/', isSecure: false })).toBe(
    'overdue_session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax',
  )
  expect(sessionCookie('token', { path: '/watch', isSecure: true })).toBe(
    'overdue_session=token; Path=/watch; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure',
  )
})

test('an ended session leaves the browser', () => {
  expect(endedSessionCookie({ path: '/', isSecure: true })).toBe(
    'overdue_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  )
})

test('the cookie is for the path of SITE_ROOT, and secure when the browser or a trusted proxy says https', () => {
  const place = (origin: string | null, siteRoot: string, scheme: 'http' | 'https' = 'http') => {
    const request = new Request('http://localhost/', { method: 'POST', headers: origin === null ? {} : { origin } })
    const site = { name: '', badgeLabel: '', secret: '', links: { siteRoot, pingEndpoint: '', checkPages: '' } }
    return cookiePlace({ site }, { request, client: { scheme } })
  }
  expect(place(null, 'https://example.org')).toEqual({ path: '/', isSecure: false })
  expect(place('http://example.org', 'https://example.org/a/b')).toEqual({ path: '/a/b', isSecure: false })
  expect(place('https://example.org', 'https://example.org').isSecure).toBe(true)
  expect(place(null, 'https://example.org', 'https').isSecure).toBe(true)
})
