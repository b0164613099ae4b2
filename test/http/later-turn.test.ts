/** Every door: if a turn of the event loop took long, an answer that is ready at once waits for the end of the turn. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Call, type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://localhost:8000' }
const UNKNOWN = '57fcbb62-8a1c-41de-8309-5a1f4cf19a0e'

const REQUESTS: readonly (readonly [what: string, method: string, path: string, call: Call])[] = [
  ['a ping URL that is no UUID', 'GET', '/ping/nothing', {}],
  ['a ping of an unknown check', 'GET', `/ping/${UNKNOWN}`, {}],
  ['a preflight of a ping', 'OPTIONS', `/ping/${UNKNOWN}`, { headers: { 'Access-Control-Request-Method': 'POST' } }],
  ['the API without a key', 'POST', '/api/v3/checks/', { json: { name: 'x' } }],
  ['a preflight of the API', 'OPTIONS', '/api/v1/checks/', {}],
  ['the state of the service', 'GET', '/api/v3/status/', {}],
  ['a callback', 'POST', `/api/v3/notifications/${UNKNOWN}/status`, { headers: FORM, body: 'a&'.repeat(500) }],
  ['a badge', 'GET', '/badge/nothing/nothing.svg', {}],
  ['metrics without a key', 'GET', '/metrics', {}],
  ['a probe', 'GET', '/healthz', {}],
  ['a form', 'POST', '/sign-in', { headers: FORM, body: 'a&'.repeat(500) }],
  ['a page', 'GET', '/sign-in', {}],
  ['a search in the documents', 'GET', '/docs/search?q=postgres', {}],
  ['a path without a route', 'GET', '/nothing', {}],
  ['a path that is read again', 'GET', '/%68ealthz', {}],
  ['a method that a path does not have', 'DELETE', '/healthz', {}],
]

test.each(REQUESTS)('%s is not answered in a turn that has taken its time', async (_what, method, path, call) => {
  // The first use loads and prepares things, which would take turns of its own.
  await t.call(method, path, call)
  await nextTurn()
  // The watched turn is over for so long that the next one is watched.
  occupy(11)
  let isTurnOver = false
  setImmediate(() => {
    isTurnOver = true
  })
  const first = t.call('GET', '/healthz')
  occupy(11)
  await t.call(method, path, call)
  expect(isTurnOver).toBe(true)
  await first
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Keeps the thread busy. */
function occupy(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}
