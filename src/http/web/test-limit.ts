/** Limits how many integration tests a user can send across all projects, because each test sends a message to other people. */
import { Refusal } from '../../domain/errors.ts'
import { createSlidingWindow } from '../../lib/limits/sliding-window.ts'
import type { Clock } from '../../lib/time.ts'
import { counted } from './parts/words/text.ts'
import type { ProjectVisit } from './route.ts'

const TESTS = 10
const SECONDS = 60

export interface TestLimit {
  /** Counts a test before it is sent. @throws Refusal `over-limit` with the seconds to wait */
  take(visit: Pick<ProjectVisit, 'account'>): void
}

export function createTestLimit(now: Clock): TestLimit {
  const sent = createSlidingWindow(now, TESTS, SECONDS)
  return {
    take({ account: { id } }) {
      const { left, oldestEndsSeconds } = sent.look(id)
      if (left === 0) {
        const words = `you have sent ${TESTS} tests within a minute, the next may be sent in ${counted(oldestEndsSeconds, 'second', 'seconds')}`
        throw new Refusal('over-limit', words, { retryAfterSeconds: oldestEndsSeconds })
      }
      sent.count(id)
    },
  }
}
