/** Initial contents shared by many tests: created once, and copied for each test that changes something. */
import { handClock } from './clock.ts'
import { testDatabase } from './databases.ts'
import { type TestApp, testApp } from './test-app.ts'

export interface FilledApp<Contents> {
  /** result of `fill` */
  readonly contents: Contents
  /** Creates an app on a copy of the database that `fill` has left, at the time when it ended. Memory of the process is not copied. */
  copy(): Promise<TestApp>
  remove(): Promise<void>
}

/** @param fill gets an app with an empty project */
export async function filledApp<Contents>(fill: (t: TestApp) => Promise<Contents>): Promise<FilledApp<Contents>> {
  const database = await testDatabase()
  const first = await testApp({ env: { DATABASE_URL: database.url } })
  const contents = await fill(first)
  await first.close()
  const { project, keys } = first
  return {
    contents,
    async copy() {
      const copied = await database.copy()
      const clock = handClock(String(first.clock.now()))
      const t = await testApp({ beside: { databaseUrl: copied.url, clock, project, keys } })
      return {
        ...t,
        async close() {
          await t.close()
          await copied.remove()
        },
      }
    },
    remove: () => database.remove(),
  }
}
