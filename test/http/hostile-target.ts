/** A server with one check, for the hostile tests. */
import { expect } from 'bun:test'
import { type Call, type TestApp, testApp } from '../support/test-app.ts'

export interface Target {
  readonly t: TestApp
  /** UUID of the only check */
  readonly id: string
  /** Whether the checks are unchanged. */
  unchanged(): Promise<boolean>
  /** Sends a request, and throws unless it is refused and changes nothing. @returns the status */
  refused(method: string, path: string, call?: Call): Promise<number>
  /** Expects that nothing was logged, and closes. */
  close(): Promise<void>
}

export async function target(): Promise<Target> {
  const t = await testApp()
  const { apiKey: key } = t.keys
  const json = { name: 'Job', slug: 'job', tags: 'prod' }
  const { uuid: id } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json })
  const state = async () => (await t.call('GET', '/api/v3/checks/', { key })).text()
  const before = await state()
  const unchanged = async () => (await state()) === before
  return {
    t,
    id,
    unchanged,
    async refused(method, path, call = { key }) {
      const { status } = await t.call(method, path, call)
      if (isHome(path)) return status
      if (status < 400 || status > 499) throw new Error(`${method} ${path.slice(0, 100)} was answered ${status}`)
      if (!(await unchanged())) throw new Error(`${method} ${path.slice(0, 100)} has changed a check`)
      return status
    },
    async close() {
      expect(t.log).toEqual([])
      await t.close()
    },
  }
}

/** Whether the path leads to the home page, as a path of dots alone does. */
function isHome(path: string): boolean {
  return URL.parse(`http://localhost${path}`)?.pathname === '/'
}
