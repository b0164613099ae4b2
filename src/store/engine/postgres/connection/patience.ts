/** The driver waits without limit for a server that does not answer; this does not. */
import type { SQL } from 'bun'
import { withDeadline } from '../../../../lib/work/waits.ts'

const CLOSE_MS = 500

/** Has the code of the driver for a connection that takes too long. */
export class SilentServer extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_TIMEOUT'

  constructor() {
    super('no answer')
  }
}

/** @throws SilentServer if the work takes longer; it goes on then, and nobody hears of it */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return withDeadline(milliseconds, work, () => new SilentServer())
}

/** @param seconds for what is under way */
export async function closeWithin(sql: SQL, seconds: number): Promise<void> {
  await within(seconds * 1_000 + CLOSE_MS, sql.close({ timeout: seconds })).catch(() => {})
}
