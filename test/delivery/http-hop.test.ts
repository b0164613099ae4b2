/** Redirects: followed unchanged, or a failure with advice. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Hop, nextStep } from '../../src/delivery/http-hop.ts'

const aHop = (given: Partial<Omit<Hop, 'url'>> & { readonly url: string }): Hop => ({
  method: 'POST',
  headers: new Headers({ authorization: 'Bearer t', 'content-type': 'application/json', 'user-agent': 'Overdue' }),
  body: new TextEncoder().encode('payload'),
  ...given,
  url: new URL(given.url),
})

const words = (hop: Hop, status: number, location: string) => {
  const step = nextStep(hop, status, location)
  return step.kind === 'refused' ? step.error : step.kind
}

describe('a message that is redirected with 301 or 302', () => {
  test.each([
    ['http://hooks.test/a?b=1', 'https://hooks.test/a?b=1'],
    ['http://hooks.test/a', 'https://hooks.test:443/a'],
    ['http://hooks.test:80/a', 'https://HOOKS.test/a'],
    ['http://hooks.test:8000/a', 'https://hooks.test:8000/a'],
    ['https://hooks.test/a', 'https://hooks.test/a'],
  ])('from %s to %s is repeated, with its method, its body and all its headers', (from, to) => {
    const hop = aHop({ url: from })
    for (const status of [301, 302]) {
      expect(nextStep(hop, status, to)).toEqual({ kind: 'follow', hop: { ...hop, url: new URL(to) } })
    }
  })

  test('keeps the login in the URL', () => {
    const headers = new Headers({ authorization: 'Basic dTpw' })
    const step = nextStep(aHop({ url: 'http://u:p@hooks.test/', headers }), 301, 'https://hooks.test/')
    expect(step.kind === 'follow' && step.hop.headers.get('authorization')).toBe('Basic dTpw')
  })

  test.each([
    ['https://new.test/a?b=1', 'redirected to https://new.test with the same path'],
    ['https://hooks.test:8443/a?b=1', 'redirected to https://hooks.test:8443 with the same path'],
    ['https://hooks.test/a/?b=1', 'redirected to https://hooks.test with a slash at the end of the path'],
    ['/services/T0/B1/secret', 'redirected to http://hooks.test with another path'],
    ['/a?token=secret', 'redirected to http://hooks.test with another query'],
    ['https://user:secret@new.test/a?b=1', 'redirected to https://new.test with the same path'],
    ['https://0b1d2f60-1111-4222-8333-444455556666.test/', 'redirected to https://….test with another path'],
    [`https://${'long.'.repeat(30)}test/`, `redirected to https://${'long.'.repeat(10)}l… with another path`],
  ])('to %s is a failure that reveals no path, no query and no key', (location, where) => {
    const hop = aHop({ url: 'http://hooks.test/a?b=1' })
    expect(words(hop, 301, location)).toBe(`Received status code 301, ${where}: use the new URL`)
    expect(words(hop, 302, location)).toBe(`Received status code 302, ${where}: use the new URL`)
  })
})

test('a message that is redirected with 303 is not sent again, wherever it leads', () => {
  const hop = aHop({ url: 'http://hooks.test/a' })
  expect(words(hop, 303, 'https://hooks.test/a')).toBe(
    'Received status code 303, redirected to https://hooks.test with the same path: use a URL that accepts POST',
  )
})

test.each([301, 302, 303, 307, 308])('no message goes from https to http, whatever its method, with %d', (status) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT']) {
    expect(words(aHop({ url: 'https://hooks.test/a', method }), status, 'http://hooks.test/a')).toBe(
      `Received status code ${status}, redirected to http://hooks.test with the same path: messages are not forwarded from https to http`,
    )
  }
})

test('whatever a server answers, the next request has the method and the body of this one, and other receivers no secrets', () => {
  const url = fc
    .tuple(fc.constantFrom('http', 'https'), fc.constantFrom('a.test', 'b.test:8000'), fc.webPath())
    .map(([scheme, host, path]) => `${scheme}://${host}${path}`)
  const status = fc.constantFrom(200, 301, 302, 303, 307, 308, 400)
  fc.assert(
    fc.property(url, url, status, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT'), (from, to, code, method) => {
      const hop = aHop({ url: from, method, body: method === 'GET' || method === 'HEAD' ? null : new Uint8Array([1]) })
      const step = nextStep(hop, code, to)
      if (step.kind !== 'follow') return
      expect({ method: step.hop.method, body: step.hop.body }).toEqual({ method, body: hop.body })
      expect([from.slice(0, 6), to.slice(0, 5)]).not.toEqual(['https:', 'http:'])
      expect(step.hop.headers.has('authorization')).toBe(new URL(from).host === new URL(to).host)
    }),
  )
})
