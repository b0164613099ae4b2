/** Two apps on one database, as two instances have: each with its own memory. */
import { type TestApp, testApp } from './test-app.ts'

export interface TwoApps {
  readonly a: TestApp
  readonly b: TestApp
  close(): Promise<void>
}

/** @param env of both */
export async function twoApps(env: Readonly<Record<string, string>> = {}): Promise<TwoApps> {
  const a = await testApp({ isShared: true, env })
  const b = await testApp({ beside: a, env })
  return {
    a,
    b,
    async close() {
      await b.close()
      await a.close()
    },
  }
}
