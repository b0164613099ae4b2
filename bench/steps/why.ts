/**
 * The reason of an alert in the night, for a check that is up again, found in a shell. On the commit e656cf3e `overdue check show` shows
 * only the current state of the check, and its UUID; the API has the pings. So one shows the check, and requests with `curl` and a key in a
 * variable the list of its pings, and the output of the one that failed. In a browser the page of the check showed it already, after two
 * pages and two clicks.
 */
import { handsOn } from './hands.ts'
import { reached, type Task } from './task.ts'

export const why: Task = {
  what: 'see why a check alerted',
  before: { commit: 'e656cf3e', pages: 3, fields: 0, clicks: 3, words: 15 },
  async walk({ page, run }) {
    const hands = handsOn(page, run)
    const { out } = await hands.command('log', 'abandoned-baskets', '--project', 'Harbour Books')
    reached(out.includes('redis.exceptions.TimeoutError'), `the log does not say what the failure printed:\n${out}`)
    return hands.count()
  },
}
