/** An administrator who reads the pages of a database for benchmarks. */
import { startSession } from '../../src/services/accounts/sign-in/sessions.ts'
import { anAccount, anAuthor } from '../../test/support/store-builders.ts'
import { withDeps } from './model.ts'

/** Signs an administrator in. @param url as in DATABASE_URL @returns the session cookie */
export function signInAdministrator(url: string): Promise<string> {
  return withDeps(url, async (deps) => {
    const account = anAccount({ createdAt: deps.now(), isAdministrator: true, tz: 'Europe/Riga' })
    await deps.store.by(anAuthor()).accounts.create(account)
    const { token } = await startSession(
      deps,
      account,
      { address: '127.0.0.1', userAgent: 'bench' },
      { method: 'link' },
    )
    return `overdue_session=${token}`
  })
}
