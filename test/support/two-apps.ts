/** Two apps on one database, like two instances: each has its own memory. */
import { handClock, stopwatchOf } from './clock.ts'
import { type TestApp, testApp } from './test-app.ts'

export interface TwoApps {
  readonly a: TestApp
  readonly b: TestApp
  close(): Promise<void>
}

/** @param env environment of both */
export async function twoApps(env: Readonly<Record<string, string>> = {}): Promise<TwoApps> {
  const clock = handClock()
  const stopwatch = stopwatchOf(clock)
  const a = await testApp({ isShared: true, env, clock, stopwatch })
  const b = await testApp({ beside: a, env, stopwatch })
  return {
    a,
    b,
    async close() {
      await b.close()
      await a.close()
    },
  }
}
