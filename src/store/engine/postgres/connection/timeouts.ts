/** Timeouts for a server that does not answer, because the driver waits without limit. */
import type { SQL } from 'bun'
import { withDeadline } from '../../../../lib/work/waits.ts'

const CLOSE_MS = 500

/** An error with the code of the driver for a connection that takes too long. */
export class SilentServer extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_TIMEOUT'

  constructor() {
    super('no answer')
  }
}

/** @throws SilentServer if the work takes longer; it then continues, and its result is ignored */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return withDeadline(milliseconds, work, () => new SilentServer())
}

/** @param seconds limit for work in progress */
export async function closeWithin(sql: SQL, seconds: number): Promise<void> {
  await within(seconds * 1_000 + CLOSE_MS, sql.close({ timeout: seconds })).catch(() => {})
}
