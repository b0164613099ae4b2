/** Adds timeouts to waits for a server, because the driver waits indefinitely. */
import type { SQL } from 'bun'
import { withDeadline } from '../../../../lib/work/waits.ts'

const CLOSE_MS = 500

/** Error for a connection that takes too long. It has the driver's code for this case. */
export class SilentServer extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_TIMEOUT'

  constructor() {
    super('no answer')
  }
}

/** @throws SilentServer if the work takes longer. The work continues, but its result is ignored */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return withDeadline(milliseconds, work, () => new SilentServer())
}

/** @param seconds time limit for work in progress */
export async function closeWithin(sql: SQL, seconds: number): Promise<void> {
  await within(seconds * 1_000 + CLOSE_MS, sql.close({ timeout: seconds })).catch(() => {})
}
